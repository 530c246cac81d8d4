/** Bundles the extension into one file: VS Code loads it with `require`, and no node_modules travel along. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const { metafile } = await build({
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.cjs",
  bundle: true,
  platform: "node",
  format: "cjs",
  // The Node inside VS Code 1.90, the oldest one the manifest allows.
  target: "node20.9",
  plugins: [vscodeOnce("src")],
  conditions: ["source"],
  minify: true,
  sourcemap: "linked",
  metafile: true,
});

// Only types come from core: its zod schemas would be most of the bundle, and the server validates anyway.
const foreign = Object.keys(metafile.inputs).filter(
  (input) => !/^(?:src|\.\.\/client\/src)\/|^vscode-once:/.test(input),
);
if (foreign.length)
  throw new Error(`the bundle holds code from outside the extension:\n${foreign.join("\n")}`);
console.log(`dist/extension.cjs: ${metafile.outputs["dist/extension.cjs"]?.bytes} bytes`);

/**
 * For each file that imports `vscode`, esbuild would copy the whole of that module, name by name, when the bundle is loaded,
 * which took longer than all the rest of it. Here it is one module of the names that are used.
 *
 * @param folder whose files use them, as `vscode.name`
 */
function vscodeOnce(folder) {
  const namespace = "vscode-once";
  return {
    name: namespace,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^vscode$/ }, ({ namespace: from }) =>
        from === namespace ? { path: "vscode", external: true } : { path: "vscode", namespace },
      );
      onLoad({ filter: /.*/, namespace }, () => {
        const lines = [...namesUsed(folder)].map((name) => `export const ${name} = api.${name};`);
        return { contents: `const api = require("vscode");\n${lines.join("\n")}`, resolveDir: "." };
      });
    },
  };
}

function namesUsed(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.startsWith("testing"),
  );
  const code = files.map((path) => readFileSync(join(folder, path), "utf8")).join("\n");
  // Names of types among them are of nothing at run time.
  return new Set([...code.matchAll(/\bvscode\.([A-Za-z]\w*)/g)].map(([, name]) => name));
}
