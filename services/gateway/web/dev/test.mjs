// Runs the tests of this folder: Vite turns the TypeScript into what Node reads.
import { readdirSync } from "node:fs";
import { createServer } from "vite";

const server = await createServer({
  server: { middlewareMode: true, watch: null },
  appType: "custom",
  logLevel: "error",
});
for (const name of readdirSync(import.meta.dirname).filter((each) => each.endsWith(".test.ts"))) {
  await server.ssrLoadModule(`/dev/${name}`);
}
await server.close();
