/** A number that depends on an amount: rows "up to … : …", the last one for all beyond. */
import { useId } from "preact/hooks";
import { t } from "../texts";
import { Button } from "../ui";
import { Cross } from "../ui/icons";
import type { OptionFieldProps } from "./option_field";
import { label, type Step } from "./options";

export function StepsField({ option, filled, error, onFill }: OptionFieldProps) {
  const fault = useId();
  const rows = JSON.parse(filled) as Step[];
  const fill = (changed: Step[]) => onFill(JSON.stringify(changed));
  const change = (at: number, row: Step) => fill(rows.map((each, index) => (index === at ? row : each)));

  function add() {
    const [to, number] = rows.at(-2) ?? [0, rows.at(-1)?.[1] ?? 0];
    fill([...rows.slice(0, -1), [(to ?? 0) + 1000, number], ...rows.slice(-1)]);
  }

  return (
    <fieldset class="field steps" aria-describedby={error ? fault : undefined}>
      <legend class="field-label">{label(option)}</legend>
      {rows.map(([to, number], at) => (
        <div class="step" key={at}>
          {to === null ? (
            <span>{t("steps_beyond")}</span>
          ) : (
            <>
              <span>{t("steps_to")}</span>
              <input
                type="number"
                min={0}
                value={to}
                aria-label={t("steps_to_at", { n: at + 1 })}
                onInput={(event) => change(at, [event.currentTarget.valueAsNumber, number])}
              />
            </>
          )}
          <input
            type="number"
            class="step-number"
            min={Number(option.least ?? 0n)}
            max={Number(option.most ?? 0n)}
            value={number}
            aria-label={t("steps_number_at", { n: at + 1 })}
            onInput={(event) => change(at, [to, event.currentTarget.valueAsNumber])}
          />
          {to !== null && (
            <Button
              kind="quiet"
              compact
              aria-label={t("steps_remove", { n: at + 1 })}
              onClick={() => fill(rows.filter((_, index) => index !== at))}
            >
              <Cross />
            </Button>
          )}
        </div>
      ))}
      <Button compact onClick={add}>
        {t("steps_add")}
      </Button>
      {error && (
        <p id={fault} class="wrong small" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
