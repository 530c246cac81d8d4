/** The process: arguments and environment in, text and exit code out. What it does is in `dhi.ts`. */
import { dhi } from "./dhi.ts";
import { runScript } from "./run-script.ts";

// `dhi stats --csv | head`: who reads no more has enough.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

process.exitCode = await dhi(process.argv.slice(2), {
  cwd: process.cwd(),
  env: process.env,
  print: (text) => process.stdout.write(`${text}\n`),
  complain: (text) => process.stderr.write(`${text}\n`),
  interrupted() {
    const controller = new AbortController();
    process.once("SIGINT", () => controller.abort());
    return controller.signal;
  },
  runScript: (file, args) => runScript(file, args),
  // Beside what is printed, so that a pipe does not get it.
  progress: process.stderr.isTTY ? (line) => process.stderr.write(`\r\x1b[K${line}`) : undefined,
});
