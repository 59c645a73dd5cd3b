/** What a person wants of this browser: kept over reloads. */
import { computed, effect, signal, type Signal } from "@preact/signals";

function kept(key: string): Signal<boolean> {
  const wanted = signal(localStorage.getItem(key) !== "off");
  effect(() => localStorage.setItem(key, wanted.value ? "on" : "off"));
  return wanted;
}

const still = matchMedia("(prefers-reduced-motion: reduce)");

export const sounds = kept("tavolo.sounds");
export const animations = kept("tavolo.animations");
/** The system asks for less motion. */
export const systemStill = signal(still.matches);
/** Whether things may move: both have to agree. */
export const moves = computed(() => animations.value && !systemStill.value);

still.addEventListener("change", () => (systemStill.value = still.matches));
effect(() => {
  document.documentElement.dataset["motion"] = moves.value ? "on" : "off";
});
