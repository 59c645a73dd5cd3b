/** Play money in words: two decimals, in the manner of the language. */
import { lang } from "./language";

/** An amount of cents. `sign`: a change, with its plus or minus. */
export function money(cents: bigint, sign = false): string {
  const form = new Intl.NumberFormat(lang.value, {
    minimumFractionDigits: 2,
    useGrouping: true,
    signDisplay: sign ? "exceptZero" : "auto",
  });
  return form.format(Number(cents) / 100).replace("-", "−");
}

/** Cents of an amount that somebody typed; null: it is none. */
export function cents(typed: string): bigint | null {
  const found = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(typed.trim());
  return found ? BigInt(found[1] ?? "0") * 100n + BigInt((found[2] ?? "").padEnd(2, "0")) : null;
}
