/** The process: arguments and environment in, text and exit code out. What it does is in `dhi.ts`. */
import { dhi } from "./dhi.ts";

process.exitCode = await dhi(process.argv.slice(2), {
  cwd: process.cwd(),
  env: process.env,
  print: (text) => process.stdout.write(`${text}\n`),
  complain: (text) => process.stderr.write(`${text}\n`),
  // Beside what is printed, so that a pipe does not get it.
  progress: process.stderr.isTTY ? (line) => process.stderr.write(`\r\x1b[K${line}`) : undefined,
});
