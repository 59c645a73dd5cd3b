/** Nicknames to choose instead of one that somebody has. */

const LONGEST = 20;
const TITLES = ["Compare", "Zio", "Mastro"];

/** A few that are like it, and likely to be free. */
export function likeIt(taken: string, chance: () => number = Math.random): string[] {
  const year = 40 + Math.floor(chance() * 60);
  const title = TITLES[Math.floor(chance() * TITLES.length)] ?? "Zio";
  const forms = [`${taken} ${year}`, `${title} ${taken}`, `${taken}.${10 + Math.floor(chance() * 90)}`];
  return forms.filter((each) => each.length <= LONGEST);
}
