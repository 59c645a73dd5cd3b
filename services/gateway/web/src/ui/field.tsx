import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

/** What ties an input to its label, hint and error. */
export interface Tied {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean;
}

export interface FieldProps {
  label: ComponentChildren;
  hint?: ComponentChildren;
  error?: string | undefined;
  children: (tied: Tied) => ComponentChildren;
}

/** A label, one input, and what is to be said about it. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, "aria-describedby": described || undefined, "aria-invalid": Boolean(error) })}
      {hint && (
        <p id={`${id}-hint`} class="soft small">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} class="wrong small" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

export interface SegmentsProps<V extends string> {
  legend: string;
  /** Say the legend to screen readers only. */
  bare?: boolean;
  value: V;
  options: readonly (readonly [V, string])[];
  onChoose: (value: V) => void;
}

/** One of a few, side by side: radio buttons underneath. */
export function Segments<V extends string>({ legend, bare = false, value, options, onChoose }: SegmentsProps<V>) {
  const name = useId();
  return (
    <fieldset class="field">
      <legend class={bare ? "unseen" : "field-label"}>{legend}</legend>
      <div class="segments">
        {options.map(([each, text]) => (
          <label key={each}>
            <input type="radio" name={name} checked={each === value} onChange={() => onChoose(each)} />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export interface TickProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ComponentChildren;
}

export function Tick({ checked, onChange, children }: TickProps) {
  return (
    <label class="tick">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{children}</span>
    </label>
  );
}
