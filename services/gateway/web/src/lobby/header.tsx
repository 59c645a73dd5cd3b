import { useState } from "preact/hooks";
import { hrefOf } from "../route";
import { client } from "../state/here";
import { lang, t } from "../texts";
import { money } from "../texts/money";
import { Button, sounds } from "../ui";
import { Person, Sound } from "../ui/icons";
import { Account } from "./account";
import { useAgain } from "./again";
import { Amount } from "./amount";
import { lookMine, lookWallet, wallet } from "./seats";
import "./header.css";

const LOOK_MS = 60_000;

/** The rail at the top of every page. */
export function Header() {
  const identity = client.identity.value;
  const [atAccount, setAtAccount] = useState(false);
  return (
    <header class="rail">
      <a class="rail-name" href={hrefOf({ page: "room" })}>
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect class="back" x="4" y="6" width="15" height="22" rx="2" transform="rotate(-12 11 17)" />
          <rect class="front" x="12" y="5" width="15" height="22" rx="2" transform="rotate(8 19 16)" />
          <circle cx="19.5" cy="16" r="4.5" />
        </svg>
        <span>{t("tavolo")}</span>
      </a>
      <span class="rail-gap" />
      {identity && <Purse />}
      <Button
        kind="quiet"
        class="rail-button"
        aria-label={t(sounds.value ? "sounds_off" : "sounds_on")}
        title={t(sounds.value ? "sounds_off" : "sounds_on")}
        onClick={() => (sounds.value = !sounds.value)}
      >
        <Sound on={sounds.value} />
      </Button>
      <Button
        kind="quiet"
        class="rail-button"
        lang={lang.value === "it" ? "en" : "it"}
        aria-label={`${lang.value === "it" ? "EN" : "IT"}: ${t("language_other")}`}
        title={t("language_other")}
        onClick={() => (lang.value = lang.value === "it" ? "en" : "it")}
      >
        {lang.value === "it" ? "EN" : "IT"}
      </Button>
      {identity && (
        <Button
          kind="quiet"
          class="rail-button rail-person"
          aria-label={t("account_open", { name: identity.nickname })}
          onClick={() => setAtAccount(true)}
        >
          <Person />
          <span class="rail-nickname">{identity.nickname}</span>
        </Button>
      )}
      {identity && atAccount && <Account identity={identity} onClose={() => setAtAccount(false)} />}
    </header>
  );
}

/** The balance; where one sits is looked at in the same breath, for both change with the same notices. */
function Purse() {
  useAgain(async () => {
    await Promise.all([lookWallet(), lookMine()]);
  }, LOOK_MS);
  const { balance, held } = wallet.value ?? {};
  const inPlay = held?.cents ? t("held", { amount: money(held.cents) }) : "";
  return (
    <span class="rail-purse" title={inPlay}>
      <span class="unseen">{t("balance")} </span>
      {balance && <Amount cents={balance.cents} />}
    </span>
  );
}
