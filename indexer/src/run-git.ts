/** Starts git, and tells an answer, be it empty, from a git that was ended before it had given one. */
import { execFile } from "node:child_process";
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
    env: { ...passed, GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" },
    maxBuffer: Number.POSITIVE_INFINITY,
    windowsHide: true,
  };
  return (args) =>
    new Promise((resolve, reject) => {
      execFile("git", [...SETTINGS, ...args], options, (error, stdout, stderr) => {
        if (!error || (error.code === NOTHING_FOUND && stderr === "")) resolve(stdout);
        else reject(reasonOf(error, stderr, folder));
      });
    });
}

/** What `check-ignore` and `config` exit with when nothing is ignored or set. */
const NOTHING_FOUND = 1;

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

function reasonOf(error: Error, stderr: string, folder: string): unknown {
  try {
    // A process that is to start in a folder that is gone fails as if there were no git.
    workspaceRoot(folder);
  } catch (gone) {
    return gone;
  }
  return new Error(stderr.trim() || error.message, { cause: error });
}
