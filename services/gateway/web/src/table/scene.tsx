/** What every part of a table page needs to draw: the view, the player, and how cards look. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Deck } from "../cards/decks";
import type { Pack } from "../cards/packs";
import type { View } from "../state/table";
import type { Speaker } from "./forms";
import type { Play } from "./play";

export interface Scene {
  view: View;
  play: Play;
  speaker: Speaker;
  deck: Deck;
  pack: Pack;
}

const SceneContext = createContext<Scene | null>(null);
export const SceneProvider = SceneContext.Provider;

export function useScene(): Scene {
  const scene = useContext(SceneContext);
  if (!scene) throw new Error("no table around this part");
  return scene;
}
