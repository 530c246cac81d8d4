/** Who listens at a port of this machine, by the system's own tools. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

type Env = Readonly<Record<string, string | undefined>>;

export interface Holder {
  readonly pid: number;
  readonly program: string;
}

const TIMEOUT_MS = 2_000;

/** @returns each process once; none where nobody listens, where it is another user's, or where no tool tells */
export async function holdersOf(port: number, env: Env): Promise<Holder[]> {
  const ss = await output("ss", ["-Hltnp", `sport = :${port}`], env);
  const holders =
    ss === undefined
      ? Array.from(
          ((await output("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"], env)) ?? "").matchAll(
            /^p(\d+)\nc(.+)$/gm,
          ),
          ([, pid, program = ""]) => ({ pid: Number(pid), program }),
        )
      : Array.from(ss.matchAll(/\("([^"]+)",pid=(\d+)/g), ([, program = "", pid]) => ({
          ...{ pid: Number(pid), program },
        }));
  return [...new Map(holders.map((holder) => [holder.pid, holder])).values()];
}

async function output(program: string, args: readonly string[], env: Env): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(program, args, { env, timeout: TIMEOUT_MS });
    return stdout;
  } catch {
    return undefined;
  }
}
