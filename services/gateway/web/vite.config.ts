import { fileURLToPath } from "node:url";
import preact from "@preact/preset-vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [preact()],
  resolve: { alias: { "#protos": fileURLToPath(new URL("./gen", import.meta.url)) } },
  build: {
    outDir: "../static",
    emptyOutDir: true,
    target: "es2022",
    // Nothing inline: the policy of the page allows none of it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/ws": { target: "http://127.0.0.1:7400", ws: true } } },
});
