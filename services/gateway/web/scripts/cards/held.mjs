// What the figures of the French packs and the tarocchi hold, round the hand at the origin.
import { disc, inked, place, round, shape, stroke } from "./svg.mjs";

export const sword = ({ ink, gold, steel, red }) =>
  inked(
    ink,
    1,
    shape("M0-48L2.6-43L2.2-6H-2.2L-2.6-43Z", steel),
    stroke("M0-42V-8", undefined, 0.6),
    shape("M-9-8C-6-5 6-5 9-8V-3C6-4 3-3 0-3C-3-3-6-4-9-3Z", gold),
    shape("M-2-3H2V8H-2Z", red),
    disc(0, 10, 2.6, gold),
  );

export const sceptre = ({ ink, gold, red }) =>
  inked(
    ink,
    1,
    shape("M-1.4-28H1.4V12H-1.4Z", gold),
    shape("M0-46C-5-41-7-36-4-31C-8-33-10-30-7-27H7C10-30 8-33 4-31C7-36 5-41 0-46Z", gold),
    disc(0, -27, 2.4, red),
  );

export const orb = ({ ink, gold, blue }) =>
  inked(
    ink,
    1,
    disc(0, -12, 8, blue),
    stroke("M-7.6-13.4Q0-9.4 7.6-13.4M0-19.6V-11", gold, 2),
    shape("M-1.3-28H1.3V-25.3H4V-22.7H1.3V-19.4H-1.3V-22.7H-4V-25.3H-1.3Z", gold),
  );

export const halberd = ({ ink, wood, steel, red }) =>
  inked(
    ink,
    1,
    shape("M-1.4-34H1.4V14H-1.4Z", wood),
    shape("M0-50L3-36H-3Z", steel),
    shape("M1.4-38C6-40 10-43 11-37C12-30 9-26 7-25C7-28 5-30 1.4-30Z", steel),
    shape("M-1.4-37L-8-40L-6-31L-1.4-32Z", steel),
    stroke("M-1.4-26H1.4M-1.4-23H1.4", red, 1.6),
  );

export const flower = ({ ink, green, gold, red }, petals = red) =>
  inked(
    ink,
    0.9,
    stroke("M0 4Q-3-8 0-20", green, 2),
    shape("M-1-4C-7-4-10-8-11-12C-6-12-2-10-1-4Z", green),
    shape("M-1-9C5-9 8-13 9-17C4-17 0-15-1-9Z", green),
    place([round(6, shape("M0 0C-4-2-4-8 0-9C4-8 4-2 0 0Z", petals)), disc(0, 0, 2.6, gold)], 0, -24),
  );

/** The fool's stick: a little head in his own cap. */
export const marotte = ({ ink, gold, red, blue, skin, wood }) =>
  inked(
    ink,
    0.9,
    shape("M-1.4-12H1.4V24H-1.4Z", wood),
    shape("M-6-18C-13-20-14-14-13-10C-9-12-7-12-5-12Z", red),
    shape("M6-18C13-20 14-14 13-10C9-12 7-12 5-12Z", blue),
    disc(0, -16, 6, skin),
    shape("M-6-17C-6-24 0-26 0-29C0-26 6-24 6-17Q0-20-6-17Z", gold),
    disc(-13, -9.4, 1.6, gold),
    disc(13, -9.4, 1.6, gold),
    stroke("M-2-16.4H-1.8M2-16.4H2.2M-2.4-13.4Q0-11.8 2.4-13.4", undefined, 1),
    shape("M-6-10L-3-7L0-10L3-7L6-10L3-12H-3Z", gold),
  );
