/** `npm run package -w extension` → `dhi-<version>.vsix` in this folder. */
import { copyFileSync, readFileSync, statSync } from "node:fs";
import { createVSIX } from "@vscode/vsce";
import "./esbuild.mjs";

/** Far above what it is, far below what would be felt in a download: something that does not belong has come in. */
const MOST_BYTES = 500_000;

// vsce wants the licence inside the package; the repository has it once, at its root.
copyFileSync("../LICENSE", "LICENSE");
await createVSIX({ dependencies: false, allowMissingRepository: true });
const { name, version } = JSON.parse(readFileSync("package.json", "utf8"));
const { size } = statSync(`${name}-${version}.vsix`);
if (size > MOST_BYTES) throw new Error(`${name}-${version}.vsix has ${size} bytes, more than ${MOST_BYTES}`);
