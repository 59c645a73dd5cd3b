/** The sounds of a table, made by the browser itself: nothing is fetched. Off with the room's sounds. */
import { sounds } from "../ui";

let audio: AudioContext | undefined;

function tone(hertz: number, seconds: number, loud: number, kind: OscillatorType): void {
  if (!sounds.value) return;
  try {
    audio ??= new AudioContext();
  } catch {
    return; // a browser without sound
  }
  const start = audio.currentTime;
  const voice = audio.createOscillator();
  const gain = audio.createGain();
  voice.type = kind;
  voice.frequency.value = hertz;
  gain.gain.setValueAtTime(loud, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  voice.connect(gain).connect(audio.destination);
  voice.start(start);
  voice.stop(start + seconds);
}

/** A card falls on the table. */
export function tap(): void {
  tone(180, 0.07, 0.12, "triangle");
}

/** It is the player's turn. */
export function chime(): void {
  tone(660, 0.25, 0.06, "sine");
}

/** Time runs out. */
export function tick(): void {
  tone(880, 0.12, 0.08, "square");
}

/** A hand or a match has ended. */
export function fanfare(): void {
  tone(523, 0.4, 0.06, "sine");
}
