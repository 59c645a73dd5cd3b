/** Says to screen readers what has changed without the focus moving. */
import { signal } from "@preact/signals";

const said = signal("");
let last = false;

/** Politely: after what is being read. The same words twice are said twice. */
export function announce(text: string): void {
  last = !last;
  said.value = last ? text : `${text}\u00a0`;
}

export function LiveRegion() {
  return (
    <div class="unseen" role="status" aria-live="polite">
      {said.value}
    </div>
  );
}
