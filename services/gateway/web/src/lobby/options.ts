/** The options of a game: as somebody fills them in, and as words about a table. */
import type { GameInfo, OptionInfo } from "#protos/tavolo/lobby/v1/lobby_pb";
import { lang, t } from "../texts";
import { choiceName } from "../texts/choices";

/** What is in the fields of a form, by the option's name: `true`, JSON of a choice or of steps, digits. */
export type Filled = Record<string, string>;

export type Step = [number | null, number];

/** The least and the greatest value of an option, to be read. */
export function bounds({ least = 0n, most = 0n }: OptionInfo): { least: string; most: string } {
  return { least: least.toLocaleString(lang.value), most: most.toLocaleString(lang.value) };
}

export function label(option: OptionInfo): string {
  return lang.value === "en" ? option.text : option.textIt;
}

/** A form with the defaults; empty where the default depends on other options or is none. */
export function defaults(game: GameInfo): Filled {
  return Object.fromEntries(game.options.map((each) => [each.name, each.default === "null" ? "" : each.default]));
}

/** Whether there is anything to choose. */
export function isFixed(option: OptionInfo): boolean {
  return option.kind === "choice" && option.choices.length === 1 && !option.nullable;
}

/** What is wrong with a field; empty: nothing that can be seen without the game's rules. */
export function fault(option: OptionInfo, typed: string): string {
  if (option.kind === "steps")
    return areSteps(option, JSON.parse(typed) as Step[]) ? "" : t("steps_bad", bounds(option));
  if (option.kind !== "int" || typed === "") return "";
  return /^-?\d{1,16}$/.test(typed) && isWithin(option, BigInt(typed)) ? "" : t("option_bad", bounds(option));
}

function areSteps(option: OptionInfo, rows: Step[]): boolean {
  return rows.every(([to, number], at) => {
    const before = at > 0 ? (rows[at - 1]?.[0] ?? -1) : -1;
    const rises = at === rows.length - 1 ? to === null : to !== null && Number.isSafeInteger(to) && to > before;
    return rises && Number.isSafeInteger(number) && isWithin(option, BigInt(number));
  });
}

function isWithin(option: OptionInfo, value: bigint): boolean {
  return value >= (option.least ?? value) && value <= (option.most ?? value);
}

/** The JSON object for OpenTable: only what differs from the defaults. */
export function asJson(game: GameInfo, filled: Filled): string {
  const given = defaults(game);
  const changed = game.options.filter(({ name }) => filled[name] !== given[name]);
  return `{${changed.map(({ name }) => `${JSON.stringify(name)}:${filled[name] || "null"}`).join(",")}}`;
}

/** How many seats the table will have. */
export function seatsOf(game: GameInfo, filled: Filled = defaults(game)): number {
  return Number(filled["seats"] ?? 0);
}

// ---------------------------------------------------------------------------------- words about a table

/** One rule of a table in words. */
export interface Rule {
  name: string;
  text: string;
  value: string;
}

/** Every option of a table, with its value. */
export function rulesOf(game: GameInfo, options: string): Rule[] {
  const values = parsed(options);
  return game.options.map((option) => ({
    name: option.name,
    text: label(option),
    value: valueName(option, JSON.stringify(values[option.name] ?? null)),
  }));
}

/** What somebody wants to know before sitting down: how long it goes, and what is not as usual. */
export function inShort(game: GameInfo, options: string): string[] {
  const values = parsed(options);
  const unusual = game.options.filter(({ name, default: usual }) => {
    if (["seats", "match", "target", "hands"].includes(name) || usual === "null") return false;
    return JSON.stringify(values[name]) !== usual;
  });
  return [lengthOf(values), ...unusual.map((option) => shortRule(option, values[option.name]))].filter(Boolean);
}

function lengthOf(values: Record<string, unknown>): string {
  if (values["match"] === "points" && typeof values["target"] === "number")
    return t("to_points", { n: values["target"] });
  if (values["match"] === "hands" && typeof values["hands"] === "number") return t("for_hands", { n: values["hands"] });
  return values["match"] ? choiceName("match", JSON.stringify(values["match"])) : "";
}

function shortRule(option: OptionInfo, value: unknown): string {
  if (value === true) return label(option);
  if (option.name === "variant") return choiceName(option.name, JSON.stringify(value));
  return `${label(option)}: ${valueName(option, JSON.stringify(value ?? null))}`;
}

function valueName(option: OptionInfo, json: string): string {
  if (json === "null") return t("option_none");
  if (option.kind === "bool") return json === "true" ? t("yes") : t("no");
  if (option.kind !== "steps") return choiceName(option.name, json);
  const rows = JSON.parse(json) as Step[];
  return rows
    .map(([to, number]) => (to === null ? `${t("steps_beyond")} ${number}` : `${t("steps_to")} ${to} ${number}`))
    .join(", ");
}

function parsed(json: string): Record<string, unknown> {
  return JSON.parse(json || "{}") as Record<string, unknown>;
}
