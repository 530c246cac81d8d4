/**
 * `run.json` in DHI_HOME: which `npm start` owns the folder, and the processes it started. It keeps two starts apart, and
 * lets the next one end what a killed one left behind.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { end, identify, isAlive, type ProcessId } from "./process-id.ts";
import { StartProblem } from "./start-problem.ts";

export interface RunRecord {
  /** Replaces what is known of the service of that name. */
  add(service: string, pid: number): void;
  /** Gives the folder free. */
  remove(): void;
}

interface Contents {
  readonly supervisor: ProcessId;
  readonly services: Readonly<Record<string, ProcessId>>;
}

/**
 * @param onLeftover called with the name and pid of each process of a killed start, before it is ended
 * @throws {StartProblem} when another start that lives owns the folder
 */
export async function claimHome(
  home: string,
  onLeftover: (service: string, pid: number) => void,
): Promise<RunRecord> {
  const file = join(home, "run.json");
  const supervisor = identify(process.pid);
  let contents: Contents = { supervisor, services: {} };
  while (!createExclusively(file, contents)) {
    const earlier = read(file);
    if (earlier && isAlive(earlier.supervisor))
      throw new StartProblem(
        `another npm start (pid ${earlier.supervisor.pid}) already uses ${home}; stop it, or set DHI_HOME to another folder`,
      );
    for (const [service, leftover] of Object.entries(earlier?.services ?? {})) {
      if (!isAlive(leftover)) continue;
      onLeftover(service, leftover.pid);
      await end(leftover, service === "chroma" ? 0 : 3000);
    }
    rmSync(file, { force: true });
  }
  return {
    add(service, pid) {
      contents = { supervisor, services: { ...contents.services, [service]: identify(pid) } };
      // Replaced in one step: a start that is killed here must not leave half a file.
      writeFileSync(`${file}.new`, JSON.stringify(contents));
      renameSync(`${file}.new`, file);
    },
    remove: () => rmSync(file, { force: true }),
  };
}

function createExclusively(file: string, contents: Contents): boolean {
  try {
    writeFileSync(file, JSON.stringify(contents), { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** @returns `undefined` for a file that is gone or was never finished */
function read(file: string): Contents | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
