/** Flags, environment and `.env` → where everything is. Flags win over the environment, and that over `.env`. */
import { join, resolve } from "node:path";
import { type WorkspaceSetting, workspaceList } from "@dhi/core/workspaces";
import { StartProblem } from "./start-problem.ts";

/** As `start-flags.mjs` read them: valid, and absolute where it is a path. */
export interface Flags {
  readonly workspaces?: readonly string[];
  readonly port?: number;
  readonly engine?: string;
}

export interface Settings {
  /** At least one; named where there are several. */
  readonly workspaces: readonly WorkspaceSetting[];
  readonly home: string;
  readonly port: number;
  readonly bind: string;
  /** Sent to the server with each request, when it wants one. */
  readonly token: string | undefined;
  /** What every service starts with; flags are in it. */
  readonly env: NodeJS.ProcessEnv;
}

/**
 * @param root the repository: the default workspace, and the place of `.dhi`
 * @throws {StartProblem} when DHI_PORT is no port, or DHI_WORKSPACES names what cannot be served together; all other
 * variables are read by the services that use them
 */
export function readSettings(root: string, flags: Flags, env: NodeJS.ProcessEnv): Settings {
  const workspaces = readWorkspaces(root, flags.workspaces, env);
  const home = resolve(root, env.DHI_HOME || ".dhi");
  const port = flags.port ?? readPort(env.DHI_PORT || "8000");
  return {
    workspaces,
    home,
    port,
    bind: env.DHI_BIND || "127.0.0.1",
    token: env.DHI_TOKEN || undefined,
    env: {
      ...env,
      ...workspaceEnv(workspaces),
      DHI_HOME: home,
      DHI_PORT: String(port),
      ...(flags.engine !== undefined && { ENGINE: flags.engine }),
    },
  };
}

function readWorkspaces(
  root: string,
  flags: readonly string[] | undefined,
  env: NodeJS.ProcessEnv,
): readonly WorkspaceSetting[] {
  const [folder, ...others] = flags ?? [];
  if (folder !== undefined && !others.length) return [{ name: undefined, path: folder }];
  const several = flags ? flags.join("\n") : env.DHI_WORKSPACES;
  if (!several) return [{ name: env.WORKSPACE_NAME || undefined, path: resolve(root, env.WORKSPACE || ".") }];
  const parsed = workspaceList.safeParse(several);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ message }) => `\n  ${message}`).join("");
  throw new StartProblem(`${flags ? "--workspace" : "DHI_WORKSPACES"} cannot be served:${problems}`);
}

/** As the services read it; what the environment had besides must not count any more. */
function workspaceEnv(workspaces: readonly WorkspaceSetting[]): NodeJS.ProcessEnv {
  const [first, ...others] = workspaces;
  if (!others.length)
    return { WORKSPACE: first?.path, WORKSPACE_NAME: first?.name, DHI_WORKSPACES: undefined };
  const list = workspaces.map(({ name, path }) => `${name}=${path}`).join("\n");
  return { WORKSPACE: undefined, WORKSPACE_NAME: undefined, DHI_WORKSPACES: list };
}

/**
 * Adds what the file sets and the environment does not. A missing file is fine.
 *
 * @returns a warning, when this Node cannot read such files
 */
export function loadDotEnv(root: string): string | undefined {
  // Node 20.12 brought it; 20.0 is our floor.
  if (typeof process.loadEnvFile !== "function")
    return `.env is not read by Node ${process.version}; 20.12 is the first that can`;
  try {
    process.loadEnvFile(join(root, ".env"));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
  return undefined;
}

function readPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new StartProblem(`DHI_PORT wants a number from 1 to 65535, not "${text}"`);
}
