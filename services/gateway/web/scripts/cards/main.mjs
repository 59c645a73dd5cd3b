// Draws every pack of cards into public/cards/, one sprite a pack. Run by `npm run cards`; the files are committed.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { moderne } from "./packs/moderne.mjs";
import { napoletane } from "./packs/napoletane.mjs";

import { francesi, genovesi } from "./packs/french.mjs";
import { piacentine } from "./packs/piacentine.mjs";

import { uno } from "./packs/uno.mjs";
import { tarocchi } from "./packs/tarocchi.mjs";
const PACKS = { napoletane, piacentine, genovesi, francesi, moderne, tarocchi, uno };

const folder = join(dirname(fileURLToPath(import.meta.url)), "../../public/cards");
mkdirSync(folder, { recursive: true });
for (const [name, drawing] of Object.entries(PACKS)) writeFileSync(join(folder, `${name}.svg`), drawing);
