/** Starts git, and tells an answer, be it empty, from a git that was ended before it had given one. */
import { constants } from "node:buffer";
import { type ExecFileException, execFile } from "node:child_process";
import { workspaceRoot } from "./workspace-root.ts";

/**
 * @returns what git printed; nothing also where git says by its exit code that there is nothing
 * @throws what git says when it fails, and whenever it was killed: half a list would empty half the index
 */
export type RunGit = (args: readonly string[]) => Promise<string>;

export function gitIn(folder: string, env: NodeJS.ProcessEnv): RunGit {
  const passed = Object.fromEntries(PASSED_ENV.flatMap((key) => (env[key] ? [[key, env[key]]] : [])));
  const options = {
    cwd: folder,
    env: { ...passed, ...OUR_ENV },
    // Of more than a string can hold, Node would throw where nobody catches it.
    maxBuffer: constants.MAX_STRING_LENGTH,
    windowsHide: true,
  };
  return async (args) => {
    try {
      return await new Promise<string>((resolve, reject) => {
        execFile("git", [...SETTINGS, ...args], options, (error, stdout, stderr) => {
          if (!error || isNothing(args, error)) resolve(stdout);
          else reject(new Error(stderr.trim() || endOf(args, error)));
        });
      });
    } catch (error) {
      // A process that is to start in a folder that is gone fails as if there were no git.
      workspaceRoot(folder);
      throw error;
    }
  };
}

/** By code 1 these say that nothing is ignored or set, whatever they warn of besides; others do not use it. */
const isNothing = ([command = ""]: readonly string[], { code }: ExecFileException): boolean =>
  code === 1 && ["check-ignore", "config"].includes(command);

/** In place of Node's words, which are the whole command line with all of its paths. */
function endOf(args: readonly string[], { code, signal, message }: ExecFileException): string {
  // Git did not start, or said too much.
  if (typeof code === "string") return message;
  const command = args.find((arg) => !arg.startsWith("-"));
  return `git ${command} ${signal ? `was ended by ${signal}` : `failed with code ${code}`}`;
}

/** Nothing of the repository is changed, fetched or run: what a partial clone lacks is got by programs that it names. */
const OUR_ENV = { GIT_OPTIONAL_LOCKS: "0", GIT_ALLOW_PROTOCOL: "none", LC_ALL: "C" };

/** A workspace mounted into a container belongs to another user, and git would refuse to look at it. */
const SETTINGS = ["core.fsmonitor=false", "safe.directory=*", "core.quotePath=false"].flatMap((setting) => [
  "-c",
  setting,
]);

/** Variables git needs; `GIT_DIR` and its like (set in a hook) would answer for another repository. */
const PASSED_ENV = [
  ...["PATH", "Path", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "TEMP", "TMP"],
  ...[
    "USERPROFILE",
    "HOMEDRIVE",
    "HOMEPATH",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMDATA",
    "SystemRoot",
    "COMSPEC",
  ],
];
