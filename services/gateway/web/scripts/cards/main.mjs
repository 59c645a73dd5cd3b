// Draws every pack of cards into public/cards/, one sprite a pack. The files are committed: run `npm run cards` after a
// change here. With --check nothing is written; it fails when a file is not what would be drawn.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { francesi, genovesi } from "./packs/french.mjs";
import { moderne } from "./packs/moderne.mjs";
import { napoletane } from "./packs/napoletane.mjs";
import { piacentine } from "./packs/piacentine.mjs";
import { tarocchi } from "./packs/tarocchi.mjs";
import { uno } from "./packs/uno.mjs";

const PACKS = { napoletane, piacentine, genovesi, francesi, moderne, tarocchi, uno };

const folder = join(dirname(fileURLToPath(import.meta.url)), "../../public/cards");
mkdirSync(folder, { recursive: true });

const checks = process.argv.includes("--check");
for (const [name, drawing] of Object.entries(PACKS)) {
  const file = join(folder, `${name}.svg`);
  if (!checks) writeFileSync(file, drawing);
  else if (!existsSync(file) || readFileSync(file, "utf8") !== drawing) {
    console.error(`public/cards/${name}.svg is not what scripts/cards draws: run npm run cards`);
    process.exitCode = 1;
  }
}
