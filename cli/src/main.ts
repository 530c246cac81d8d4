/** The process: arguments and environment in, text and exit code out. What it does is in `dhi.ts`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dhi } from "./dhi.ts";

process.exitCode = await dhi(process.argv.slice(2), {
  cwd: process.cwd(),
  env: process.env,
  print: (text) => process.stdout.write(`${text}\n`),
  complain: (text) => process.stderr.write(`${text}\n`),
  // Beside what is printed, so that a pipe does not get it.
  interrupted() {
    const controller = new AbortController();
    process.once("SIGINT", () => controller.abort());
    return controller.signal;
  },
  async runScript(file, args) {
    // The script gets it too, and ends what it started first.
    process.on("SIGINT", () => {});
    const [code] = await once(spawn(process.execPath, [file, ...args], { stdio: "inherit" }), "exit");
    return typeof code === "number" ? code : 1;
  },
  progress: process.stderr.isTTY ? (line) => process.stderr.write(`\r\x1b[K${line}`) : undefined,
});
