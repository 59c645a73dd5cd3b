/** Which language is spoken, and how a folder keeps its texts in both. */
import { effect, signal } from "@preact/signals";

export type Lang = "it" | "en";

/** A text; with two forms where a number `n` decides between them. `{name}` is filled in. */
export type Text = string | { one: string; other: string };
export type Values = Record<string, string | number>;

const KEY = "tavolo.lang";

export const lang = signal<Lang>(localStorage.getItem(KEY) === "en" ? "en" : "it");

effect(() => {
  localStorage.setItem(KEY, lang.value);
  document.documentElement.lang = lang.value;
});

/** Speaks from two tables of texts with the same keys. */
export function texts<K extends string>(it: Record<K, Text>, en: Record<K, Text>): (key: K, values?: Values) => string {
  return (key, values = {}) => filled((lang.value === "en" ? en : it)[key], values);
}

export function filled(text: Text, values: Values): string {
  const chosen = typeof text === "string" ? text : values["n"] === 1 ? text.one : text.other;
  return chosen.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
