/** One of the project's scripts, run in this terminal as if it had been called itself. */
import { spawn } from "node:child_process";
import { once } from "node:events";

/** What signals come from. */
type Signals = Pick<NodeJS.Process, "on" | "off">;

/** Those that go to one process alone, as `kill` and a supervisor send them. */
const PASSED_ON = ["SIGTERM", "SIGHUP"] as const;

/**
 * The script outlives no signal that ends this process: it is told, and ends what it started first.
 *
 * @returns its exit code; 1 when a signal ended it
 */
export async function runScript(
  file: string,
  args: readonly string[],
  signals: Signals = process,
): Promise<number> {
  const child = spawn(process.execPath, [file, ...args], { stdio: "inherit" });
  const passOn = (signal: NodeJS.Signals) => void child.kill(signal);
  // Ctrl-C goes to all processes of the terminal, so that the script has it already.
  const ignore = () => {};
  signals.on("SIGINT", ignore);
  for (const signal of PASSED_ON) signals.on(signal, passOn);
  try {
    const [code] = await once(child, "exit");
    return typeof code === "number" ? code : 1;
  } finally {
    signals.off("SIGINT", ignore);
    for (const signal of PASSED_ON) signals.off(signal, passOn);
  }
}
