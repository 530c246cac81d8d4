/** Builds the page into `dist/page`, which the server sends. Everything is in there: the page asks nothing of anyone else. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const outDir = fileURLToPath(new URL("dist/page", import.meta.url));

export default defineConfig({
  base: "/",
  build: {
    outDir,
    emptyOutDir: true,
    target: "es2022",
    // Fonts and pictures inside the CSS would need `data:` in the page's content policy.
    assetsInlineLimit: 0,
    // The editor is large by nature; what it may weigh is checked by what is sent, in scripts/e2e/page.mjs.
    chunkSizeWarningLimit: 10_000,
    modulePreload: { polyfill: false },
  },
  resolve: { conditions: ["source", "module", "browser", "import", "default"] },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [onlyTypesOfCore(), packed()],
});

/** The server validates what it is asked; its schemas have no place in a page. */
function onlyTypesOfCore(): Plugin {
  return {
    name: "only-types-of-core",
    load(id) {
      if (/\/(core|server|indexer)\/src\//.test(id))
        this.error(`the page holds code of ${id}; import types only`);
    },
  };
}

/** `x.js.gz` beside `x.js`: what most browsers are sent. */
function packed(): Plugin {
  return {
    name: "packed",
    apply: "build",
    writeBundle() {
      const assets = join(outDir, "assets");
      for (const name of readdirSync(assets)) {
        if (!/\.(js|css|ttf)$/.test(name)) continue;
        writeFileSync(join(assets, `${name}.gz`), gzipSync(readFileSync(join(assets, name)), { level: 9 }));
      }
    },
  };
}
