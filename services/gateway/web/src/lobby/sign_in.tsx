/** The door: a nickname is enough; with a password it is one's own. */
import type { TargetedSubmitEvent } from "preact";
import { useRef, useState } from "preact/hooks";
import { ErrorReason } from "#protos/tavolo/common/v1/error_pb";
import { client } from "../state/here";
import { t } from "../texts";
import { isRefusal, wordsOf } from "../texts/errors";
import { Button, Field, Segments, useTitle } from "../ui";
import { Emblem } from "./emblem";
import { likeIt } from "./nicknames";
import "./sign_in.css";

type Way = "guest" | "sign_in" | "sign_up";

const NICKNAME = [3, 20] as const;
const PASSWORD = [8, 128] as const;

interface Faults {
  nickname?: string;
  password?: string;
  form?: string;
  /** The nickname that somebody else has. */
  taken?: string;
}

export function SignIn() {
  const [way, setWay] = useState<Way>("guest");
  const [nickname, setNickname] = useState("");
  const [password, setPassword] = useState("");
  const [faults, setFaults] = useState<Faults>({});
  const [busy, setBusy] = useState(false);
  const nicknameInput = useRef<HTMLInputElement>(null);
  useTitle("");
  const needsPassword = way !== "guest";

  async function enter(event: TargetedSubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const found = seenAtOnce(nickname, needsPassword ? password : undefined);
    setFaults(found);
    if (Object.keys(found).length > 0 || busy) return;
    setBusy(true);
    try {
      if (way === "guest") await client.enterAsGuest(nickname);
      else if (way === "sign_in") await client.signIn(nickname, password);
      else await client.signUp(nickname, password);
    } catch (error) {
      setFaults(faultsOf(error, nickname));
      nicknameInput.current?.focus();
    } finally {
      setBusy(false);
    }
  }

  return (
    <div class="door">
      <section class="door-card" aria-labelledby="door-title">
        <div class="door-fan" aria-hidden="true">
          {["scopa", "briscola", "asso_pigliatutto", "tresette"].map((game) => (
            <span key={game}>
              <Emblem game={game} />
            </span>
          ))}
        </div>
        <h1 id="door-title">{t("enter_title")}</h1>
        <p class="soft">{t("enter_text")}</p>
        <form onSubmit={(event) => void enter(event)} noValidate>
          <Segments
            legend={t("enter_how")}
            bare
            value={way}
            options={[
              ["guest", t("enter_guest")],
              ["sign_in", t("enter_sign_in")],
              ["sign_up", t("enter_sign_up")],
            ]}
            onChoose={(chosen) => {
              setWay(chosen);
              setFaults({});
            }}
          />
          <p>{t(`enter_${way}_text`)}</p>
          <Field label={t("nickname")} hint={way !== "sign_in" && t("nickname_hint")} error={faults.nickname}>
            {(tied) => (
              <input
                {...tied}
                ref={nicknameInput}
                value={nickname}
                autoComplete="username"
                autoCapitalize="words"
                spellcheck={false}
                maxLength={NICKNAME[1]}
                required
                onInput={(event) => setNickname(event.currentTarget.value)}
              />
            )}
          </Field>
          {faults.taken && way !== "sign_in" && (
            <div class="door-free">
              <span class="soft">{t("nickname_free")}</span>
              {likeIt(faults.taken).map((free) => (
                <Button
                  key={free}
                  compact
                  onClick={() => {
                    setNickname(free);
                    setFaults({});
                    nicknameInput.current?.focus();
                  }}
                >
                  {free}
                </Button>
              ))}
            </div>
          )}
          {needsPassword && (
            <Field label={t("password")} hint={way === "sign_up" && t("password_hint")} error={faults.password}>
              {(tied) => (
                <input
                  {...tied}
                  type="password"
                  value={password}
                  autoComplete={way === "sign_in" ? "current-password" : "new-password"}
                  maxLength={PASSWORD[1]}
                  required
                  onInput={(event) => setPassword(event.currentTarget.value)}
                />
              )}
            </Field>
          )}
          <p class="wrong" role="alert">
            {faults.form}
          </p>
          <Button type="submit" kind="primary" busy={busy}>
            {t(way === "guest" ? "enter" : way)}
          </Button>
        </form>
      </section>
    </div>
  );
}

/** What need not be asked of the server. */
function seenAtOnce(nickname: string, password: string | undefined): Faults {
  const found: Faults = {};
  if (nickname.trim().length < NICKNAME[0]) found.nickname = t("nickname_short");
  if (password !== undefined && password.length < PASSWORD[0]) found.password = t("password_short");
  return found;
}

function faultsOf(error: unknown, nickname: string): Faults {
  const words = wordsOf(error);
  if (isRefusal(error, ErrorReason.NICKNAME_TAKEN)) return { nickname: words, taken: nickname.trim() };
  if (isRefusal(error, ErrorReason.NICKNAME_REFUSED)) return { nickname: words };
  if (isRefusal(error, ErrorReason.INVALID_FIELD) && error.detail.field === "password") {
    return { password: t("password_short") };
  }
  return { form: words };
}
