import type { ButtonHTMLAttributes } from "preact";

export interface ButtonProps extends ButtonHTMLAttributes {
  /** `primary`: what one most likely wants; `quiet`: looks like a link. */
  kind?: "primary" | "plain" | "quiet";
  compact?: boolean;
  /** Works at it: takes no further click, but keeps the focus. */
  busy?: boolean;
}

export function Button({ kind = "plain", compact = false, busy = false, class: more, onClick, ...rest }: ButtonProps) {
  const classes = ["button", kind, compact && "compact", more].filter(Boolean).join(" ");
  return (
    <button
      type="button"
      {...rest}
      class={classes}
      aria-disabled={busy || rest["aria-disabled"]}
      onClick={(event) => {
        if (busy || event.currentTarget.getAttribute("aria-disabled") === "true") event.preventDefault();
        else onClick?.call(undefined as never, event);
      }}
    />
  );
}
