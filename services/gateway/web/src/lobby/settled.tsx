/** The line of the person's ledger after a match. */
import type { ComponentChildren } from "preact";
import { client } from "../state/here";
import { lang, t } from "../texts";
import { Amount } from "./amount";
import "./settled.css";

export function Settled({ table }: { table: string }) {
  const line = client.settled.value.get(table);
  return (
    <section class="settled" aria-label={t("settled_title")} aria-live="polite">
      {line ? (
        <dl>
          <Item name={t("settled_result")} class={line.deltaCents < 0n ? "loss" : "gain"}>
            <Amount cents={line.deltaCents} sign />
          </Item>
          <Item name={t("settled_balance")}>
            <Amount cents={line.balanceCents} />
          </Item>
          {line.victoryPoints !== undefined && <Item name={t("settled_victory")}>{line.victoryPoints}</Item>}
          {line.matchPoints !== undefined && <Item name={t("settled_match")}>{line.matchPoints}</Item>}
          <Item name={t("settled_rating")}>
            {line.rating.toLocaleString(lang.value, { minimumFractionDigits: 1, maximumFractionDigits: 1 })}
          </Item>
        </dl>
      ) : (
        <p class="soft">{t("settled_waiting")}</p>
      )}
    </section>
  );
}

function Item({ name, class: more = "", children }: { name: string; class?: string; children: ComponentChildren }) {
  return (
    <div class={more}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
