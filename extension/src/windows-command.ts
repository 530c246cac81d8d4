/** Commands that are batch files, as `npm` is on Windows: only cmd.exe runs those, and it reads what it is given. */
import { existsSync } from "node:fs";
import { win32 } from "node:path";
import { t } from "./l10n.ts";

/** What `spawn` takes. */
export interface Spawned {
  readonly program: string;
  readonly args: readonly string[];
  /** The arguments are quoted already. */
  readonly windowsVerbatimArguments: boolean;
}

/**
 * @param command program and arguments
 * @returns the same, or cmd.exe with all of it in quotes, between which it leaves everything but `%` as it is
 * @throws when a part has a character that quotes do not hold
 */
export function windowsCommand(
  command: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  exists: (path: string) => boolean = existsSync,
): Spawned {
  const [program = "", ...args] = command;
  const file = candidates(program, env).find(exists) ?? program;
  if (!/\.(?:cmd|bat)$/i.test(file)) return { program, args, windowsVerbatimArguments: false };
  const parts = [file, ...args];
  const unsafe = parts.find((part) => /["%\r\n]/.test(part));
  if (unsafe !== undefined)
    throw new Error(
      t("{0} is a batch file, and Windows would read {1} otherwise than it stands", file, unsafe),
    );
  const line = parts.map(quoted).join(" ");
  // The outer quotes are those that /s takes away.
  const shell = ["/d", "/s", "/c", `"${line}"`];
  return { program: env.ComSpec ?? "cmd.exe", args: shell, windowsVerbatimArguments: true };
}

/** Where Windows looks for it, in that order. */
function candidates(
  program: string,
  { PATH = "", PATHEXT = ".COM;.EXE;.BAT;.CMD" }: NodeJS.ProcessEnv,
): string[] {
  const endings = win32.extname(program) ? [""] : PATHEXT.split(";");
  const isPath = /[\\/]/.test(program);
  const folders = isPath ? [""] : PATH.split(";").filter(Boolean);
  return folders.flatMap((folder) =>
    endings.map((ending) => (folder ? win32.join(folder, program) : program) + ending.toLowerCase()),
  );
}

/** A backslash before the closing quote would keep the program from seeing that as one. */
const quoted = (part: string): string => `"${part.replace(/\\+$/, "$&$&")}"`;
