#!/usr/bin/env node
// The command itself is built; npm links to this file, which is there before that.
import { existsSync } from "node:fs";

const main = new URL("./dist/main.js", import.meta.url);
if (existsSync(main)) await import(main.href);
else if (process.argv[2] === "start") {
  // Which builds it.
  process.argv.splice(2, 1);
  await import("../scripts/start.mjs");
} else {
  process.stderr.write(
    "dhi: not built yet; run `npm start` or `npx dhi start` (or `npm run build`) in Dhi's folder\n",
  );
  process.exitCode = 2;
}
