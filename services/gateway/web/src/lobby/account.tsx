import type { TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import { AccountService } from "#protos/tavolo/lobby/v1/account_pb";
import { keepIdentity, type Identity } from "../net/tokens";
import { client } from "../state/here";
import { lang, t } from "../texts";
import { wordsOf } from "../texts/errors";
import { animations, Button, Dialog, Field, Segments, sounds, systemStill, Tick, toast } from "../ui";

const LEAST_PASSWORD = 8;

/** Who one is here, and what one wants of this page. */
export function Account({ identity, onClose }: { identity: Identity; onClose: () => void }) {
  const [leaving, setLeaving] = useState(false);
  return (
    <Dialog title={identity.nickname} narrow onClose={onClose}>
      <div class="stack">
        {identity.guest && <Keep identity={identity} />}
        <Segments
          legend={t("language")}
          value={lang.value}
          options={[
            ["it", "Italiano"],
            ["en", "English"],
          ]}
          onChoose={(chosen) => (lang.value = chosen)}
        />
        <div>
          <Tick checked={sounds.value} onChange={(on) => (sounds.value = on)}>
            {t("sounds")}
          </Tick>
          <Tick checked={animations.value} onChange={(on) => (animations.value = on)}>
            {t("animations")}
          </Tick>
          {systemStill.value && <p class="soft small">{t("animations_system")}</p>}
        </div>
        {leaving ? (
          <div class="stack" role="alert">
            <p>{t("sign_out_guest")}</p>
            <div class="row">
              <Button kind="primary" onClick={() => client.signOut()}>
                {t("sign_out_sure")}
              </Button>
              <Button onClick={() => setLeaving(false)}>{t("cancel")}</Button>
            </div>
          </div>
        ) : (
          <Button onClick={() => (identity.guest ? setLeaving(true) : client.signOut())}>{t("sign_out")}</Button>
        )}
      </div>
    </Dialog>
  );
}

/** A guest gives the nickname a password. */
function Keep({ identity }: { identity: Identity }) {
  const [password, setPassword] = useState("");
  const [fault, setFault] = useState("");
  const [busy, setBusy] = useState(false);

  async function keep(event: TargetedSubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (password.length < LEAST_PASSWORD) {
      setFault(t("password_short"));
      return;
    }
    setBusy(true);
    try {
      await client.rpc(AccountService.method.keepGuest, { password });
      const kept = { ...(client.identity.value ?? identity), guest: false };
      keepIdentity(kept);
      client.identity.value = kept;
      toast(t("kept", { name: identity.nickname }));
    } catch (error) {
      setFault(wordsOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form class="stack panel" onSubmit={(event) => void keep(event)} noValidate>
      <h3>{t("keep_title")}</h3>
      <p>{t("keep_text", { name: identity.nickname })}</p>
      <input
        class="unseen"
        type="text"
        autoComplete="username"
        value={identity.nickname}
        readOnly
        tabIndex={-1}
        aria-hidden
      />
      <Field label={t("password")} hint={t("password_hint")} error={fault}>
        {(tied) => (
          <input
            {...tied}
            type="password"
            autoComplete="new-password"
            maxLength={128}
            value={password}
            onInput={(event) => setPassword(event.currentTarget.value)}
          />
        )}
      </Field>
      <Button type="submit" kind="primary" busy={busy}>
        {t("keep")}
      </Button>
    </form>
  );
}
