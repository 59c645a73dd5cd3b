/** The dialog for a new table: the game, every option of it, what it is played for, with whom. */
import type { TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import { ErrorReason } from "#protos/tavolo/common/v1/error_pb";
import type { GameInfo } from "#protos/tavolo/lobby/v1/lobby_pb";
import { client } from "../state/here";
import { t } from "../texts";
import { choiceName } from "../texts/choices";
import { isRefusal, wordsOf } from "../texts/errors";
import { cents, money } from "../texts/money";
import { Button, Dialog, Field, Segments } from "../ui";
import { byName, gameName, gameOf } from "./games";
import { openTable } from "./open";
import { OptionField } from "./option_field";
import { asJson, defaults, fault, isFixed, label, seatsOf, type Filled } from "./options";

type Speed = "normale" | "lampo" | "lento";

const CURRENCY = "PLAY";
const USUAL_STAKE = 100n;
const USUAL_CHIP = 1n;

export function NewTable({ first, onClose }: { first: string; onClose: () => void }) {
  const [id, setId] = useState(first || (byName()[0]?.id ?? ""));
  const game = gameOf(id);
  return (
    <Dialog title={t("new_title")} onClose={onClose}>
      {game ? (
        // A form of its own for each game: what was filled in for another one means nothing here.
        <TableForm key={id} game={game} onGame={setId} />
      ) : (
        <p>{t("loading")}</p>
      )}
    </Dialog>
  );
}

function TableForm({ game, onGame }: { game: GameInfo; onGame: (id: string) => void }) {
  const [filled, setFilled] = useState(() => defaults(game));
  const [stake, setStake] = useState(() => money(USUAL_STAKE));
  const [chip, setChip] = useState(() => money(USUAL_CHIP));
  const [speed, setSpeed] = useState<Speed>("normale");
  const [computers, setComputers] = useState(0);
  const [faults, setFaults] = useState<Filled>({});
  const [busy, setBusy] = useState(false);

  const others = Math.max(seatsOf(game, filled) - 1, 0);
  const seated = Math.min(computers, others);
  const choosable = game.options.filter((option) => !isFixed(option));
  const fixed = game.options.filter(isFixed);

  async function open(event: TargetedSubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const found = faultsOf(game, filled, stake, chip);
    setFaults(found);
    if (Object.keys(found).length > 0) {
      focusFault(event.currentTarget);
      return;
    }
    setBusy(true);
    try {
      await openTable({
        game: game.id,
        options: asJson(game, filled),
        speed,
        computers: seated,
        ...(game.money === "stake" && { stake: { cents: cents(stake) ?? 0n, currency: CURRENCY } }),
        ...(game.money === "chips" && { chip: { cents: cents(chip) ?? 0n, currency: CURRENCY } }),
      });
    } catch (error) {
      setFaults(refused(game, error));
    } finally {
      setBusy(false);
    }
  }

  const fill = (name: string) => (value: string) => setFilled({ ...filled, [name]: value });
  const field = (option: (typeof choosable)[number]) => (
    <OptionField
      key={option.name}
      option={option}
      filled={filled[option.name] ?? ""}
      error={faults[option.name]}
      onFill={fill(option.name)}
    />
  );

  return (
    <form class="stack" onSubmit={(event) => void open(event)} noValidate>
      <Field label={t("new_game")}>
        {(tied) => (
          <select {...tied} value={game.id} onChange={(event) => onGame(event.currentTarget.value)}>
            {byName().map((each) => (
              <option key={each.id} value={each.id}>
                {gameName(each.id)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <fieldset class="stack">
        <legend class="group">{t("new_options")}</legend>
        {fixed.length > 0 && (
          <p class="soft small">
            {fixed.map((each) => `${label(each)}: ${choiceName(each.name, each.choices[0] ?? "null")}`).join(" · ")}
          </p>
        )}
        <div class="grid">{choosable.filter((each) => !["bool", "steps"].includes(each.kind)).map(field)}</div>
        {choosable.filter((each) => each.kind === "steps").map(field)}
        <div class="grid">{choosable.filter((each) => each.kind === "bool").map(field)}</div>
      </fieldset>
      <fieldset class="stack">
        <legend class="group">{t("new_money")}</legend>
        {game.money === "stake" && (
          <MoneyField
            label={t("new_stake")}
            hint={t("new_stake_hint")}
            typed={stake}
            error={faults["stake"]}
            onType={setStake}
          />
        )}
        {game.money === "chips" && (
          <MoneyField
            label={t("new_chip")}
            hint={t("new_chip_hint")}
            typed={chip}
            error={faults["chip"]}
            onType={setChip}
          />
        )}
        {game.money === "own" && <p class="soft small">{t("new_own")}</p>}
        <div>
          <Segments
            legend={t("speed")}
            value={speed}
            options={[
              ["lampo", t("speed_lampo")],
              ["normale", t("speed_normale")],
              ["lento", t("speed_lento")],
            ]}
            onChoose={setSpeed}
          />
          <p class="soft small">{t(`speed_${speed}_text`)}</p>
        </div>
      </fieldset>
      {others > 0 && (
        <fieldset class="stack">
          <legend class="group">{t("new_company")}</legend>
          <Field
            label={t("new_computers")}
            hint={t(seated === others ? "new_computers_full" : "new_computers_hint")}
            error={faults["computers"]}
          >
            {(tied) => (
              <select {...tied} value={seated} onChange={(event) => setComputers(Number(event.currentTarget.value))}>
                {Array.from({ length: others + 1 }, (_, each) => (
                  <option key={each} value={each}>
                    {each}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </fieldset>
      )}
      <div class="form-end">
        <p class="wrong" role="alert">
          {faults[""]}
        </p>
        <Button type="submit" kind="primary" busy={busy || client.link.value !== "open"}>
          {t("new_open")}
        </Button>
      </div>
    </form>
  );
}

interface MoneyFieldProps {
  label: string;
  hint: string;
  typed: string;
  error: string | undefined;
  onType: (typed: string) => void;
}

function MoneyField({ label: name, hint, typed, error, onType }: MoneyFieldProps) {
  return (
    <Field label={name} hint={hint} error={error}>
      {(tied) => (
        <input
          {...tied}
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          onInput={(event) => onType(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** What can be seen to be wrong before the server is asked, by field. */
function faultsOf(game: GameInfo, filled: Filled, stake: string, chip: string): Filled {
  const found = game.options.map((option) => [option.name, fault(option, filled[option.name] ?? "")] as const);
  const faults = Object.fromEntries(found.filter(([, words]) => words));
  if (game.money === "stake" && cents(stake) === null) faults["stake"] = t("option_bad_money");
  if (game.money === "chips" && cents(chip) === null) faults["chip"] = t("option_bad_money");
  return faults;
}

/** What the server refused, by field; `""`: the form as a whole. */
function refused(game: GameInfo, error: unknown): Filled {
  const words = wordsOf(error);
  if (isRefusal(error, ErrorReason.BAD_OPTION)) {
    const option = game.options.find((each) => error.detail.field === `options.${each.name}`);
    if (option) return { [option.name]: t("error_option", { option: label(option) }), "": words };
  }
  return { "": words };
}

function focusFault(form: HTMLFormElement): void {
  // The faults are drawn first.
  requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}
