#!/usr/bin/env node
// The command itself is built; npm links to this file, which is there before that.
import { existsSync } from "node:fs";

const main = new URL("./dist/main.js", import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  process.stderr.write("dhi: not built yet; run `npm start` (or `npm run build`) in Dhi's folder\n");
  process.exitCode = 2;
}
