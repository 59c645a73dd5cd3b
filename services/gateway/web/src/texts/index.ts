/** What the shell and the lobby say. */
import { en } from "./en";
import { it } from "./it";
import { texts } from "./language";

export { lang, texts, type Lang, type Text, type Values } from "./language";
export type Key = keyof typeof it;

export const t = texts<Key>(it, en);
