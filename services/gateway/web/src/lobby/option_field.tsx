/** One option of a game in a form. Knows the kinds of options, not the games. */
import type { OptionInfo } from "#protos/tavolo/lobby/v1/lobby_pb";
import { t } from "../texts";
import { choiceName } from "../texts/choices";
import { Field, Tick } from "../ui";
import { bounds, label } from "./options";
import { StepsField } from "./steps_field";

export interface OptionFieldProps {
  option: OptionInfo;
  filled: string;
  error: string | undefined;
  onFill: (value: string) => void;
}

export function OptionField({ option, filled, error, onFill }: OptionFieldProps) {
  if (option.kind === "bool") {
    return (
      <div>
        <Tick checked={filled === "true"} onChange={(on) => onFill(String(on))}>
          {label(option)}
        </Tick>
        {error && (
          <p class="wrong small" role="alert">
            {error}
          </p>
        )}
      </div>
    );
  }
  if (option.kind === "steps") return <StepsField option={option} filled={filled} error={error} onFill={onFill} />;
  return (
    <Field label={label(option)} hint={hint(option)} error={error}>
      {(tied) =>
        option.kind === "choice" ? (
          <select {...tied} value={filled} onChange={(event) => onFill(event.currentTarget.value)}>
            {(option.nullable || option.default === "null") && <option value="">{emptyName(option)}</option>}
            {option.choices.map((choice) => (
              <option key={choice} value={choice}>
                {choiceName(option.name, choice)}
              </option>
            ))}
          </select>
        ) : (
          <input
            {...tied}
            inputMode="numeric"
            autoComplete="off"
            value={filled}
            placeholder={option.default === "null" || option.nullable ? emptyName(option) : ""}
            onInput={(event) => onFill(event.currentTarget.value.trim())}
          />
        )
      }
    </Field>
  );
}

/** What an empty field stands for. */
function emptyName(option: OptionInfo): string {
  return t(option.nullable ? "option_none" : "option_depends");
}

function hint(option: OptionInfo): string {
  if (option.kind !== "int") return "";
  return t(option.nullable ? "option_range_none" : "option_range", bounds(option));
}
