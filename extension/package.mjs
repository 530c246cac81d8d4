/** `npm run package -w extension` → `dhi-<version>.vsix` in this folder. */
import { copyFileSync } from "node:fs";
import { createVSIX } from "@vscode/vsce";
import "./esbuild.mjs";

// vsce wants the licence inside the package; the repository has it once, at its root.
copyFileSync("../LICENSE", "LICENSE");
await createVSIX({ dependencies: false, allowMissingRepository: true });
