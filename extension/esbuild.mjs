/** Bundles the extension into one file: VS Code loads it with `require`, and no node_modules travel along. */
import { build } from "esbuild";

const { metafile } = await build({
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.cjs",
  bundle: true,
  platform: "node",
  format: "cjs",
  // The Node inside VS Code 1.90, the oldest one the manifest allows.
  target: "node20.9",
  external: ["vscode"],
  conditions: ["source"],
  minify: true,
  sourcemap: "linked",
  metafile: true,
});

// Only types come from core: its zod schemas would be most of the bundle, and the server validates anyway.
const foreign = Object.keys(metafile.inputs).filter((input) => !/^(?:src|\.\.\/client\/src)\//.test(input));
if (foreign.length)
  throw new Error(`the bundle holds code from outside the extension:\n${foreign.join("\n")}`);
console.log(`dist/extension.cjs: ${metafile.outputs["dist/extension.cjs"]?.bytes} bytes`);
