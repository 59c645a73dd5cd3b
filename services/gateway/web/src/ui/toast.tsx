/** Short news at the edge of the page. Nothing that is said only here is needed to go on. */
import { signal } from "@preact/signals";
import { t } from "../texts";
import { Button } from "./button";
import { Cross } from "./icons";

interface Toast {
  id: number;
  text: string;
  action: { text: string; run: () => void } | undefined;
}

const SHOWN_MS = 6_000;
const toasts = signal<Toast[]>([]);
let ids = 0;

/** Shows a text for a while; with something to do about it, until it is closed. */
export function toast(text: string, action?: { text: string; run: () => void }): void {
  const id = ++ids;
  toasts.value = [...toasts.value, { id, text, action }];
  if (!action) setTimeout(() => close(id), SHOWN_MS);
}

// One who goes elsewhere needs no way there any more.
addEventListener("hashchange", () => {
  toasts.value = toasts.value.filter((each) => !each.action);
});

function close(id: number): void {
  toasts.value = toasts.value.filter((each) => each.id !== id);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, action }) => (
        <div class="toast" key={id}>
          <span>{text}</span>
          {action && (
            <Button
              kind="primary"
              compact
              onClick={() => {
                close(id);
                action.run();
              }}
            >
              {action.text}
            </Button>
          )}
          <Button kind="quiet" compact aria-label={t("close")} onClick={() => close(id)}>
            <Cross />
          </Button>
        </div>
      ))}
    </div>
  );
}
