import { t } from "../texts";
import { money } from "../texts/money";
import { Coin } from "../ui/icons";

/** An amount of play money. */
export function Amount({ cents, sign = false }: { cents: bigint; sign?: boolean }) {
  return (
    <span class="amount">
      <Coin />
      {money(cents, sign)}
      <span class="unseen"> {t("play_money")}</span>
    </span>
  );
}
