/** The packs of a game to choose from, each shown by three of its cards and its back. Applies at once. */
import { useId } from "preact/hooks";
import { CardBack, CardFace } from "./card";
import { choosePack, packFor } from "./choice";
import { deckOf, type Deck } from "./decks";
import { PACKS, packsFor } from "./packs";

const SAMPLES: Readonly<Record<Deck, readonly string[]>> = {
  it40: ["Ad", "7c", "Ks"],
  fr52: ["As", "7d", "Qh"],
  fr108: ["As", "7d", "Qh"],
  fr110: ["As", "7d", "Qh"],
  tarocco40: ["T1", "T21", "Kh"],
  uno108: ["r7", "bS", "W"],
};

const LEGEND = { it: "Le mie carte", en: "My cards" } as const;

export function PackChooser({ game, lang }: { game: string; lang: "it" | "en" }) {
  const name = useId();
  const deck = deckOf(game);
  const current = packFor(game, deck);
  return (
    <fieldset class="packs">
      <legend>{LEGEND[lang]}</legend>
      {packsFor(deck).map((pack) => (
        <label key={pack} class="pack">
          <input type="radio" name={name} checked={pack === current} onChange={() => choosePack(game, pack)} />
          <span>{PACKS[pack].name[lang]}</span>
          <span class="pack-samples">
            {SAMPLES[deck].map((face) => (
              <CardFace key={face} deck={deck} face={face} pack={pack} />
            ))}
            <CardBack pack={pack} />
          </span>
        </label>
      ))}
    </fieldset>
  );
}
