/** What a command of `dhi` is: one file of `commands/` each. */
import type { ParseArgsConfig } from "node:util";
import type { Server } from "./server.ts";

export interface Command {
  readonly name: string;
  /** After its name, such as `PATH` or `[NAME]`. */
  readonly parameters: string;
  readonly summary: string;
  /** What the first parameter may be, for a shell to complete; left out where it can be anything. */
  readonly choices?: readonly string[];
  /** How many parameters it takes. */
  readonly least: number;
  readonly most: number;
  /** Besides those of all commands; `describe` is for its help. */
  readonly options?: Readonly<Record<string, CommandOption>>;
  /**
   * Its parameters are another program's: they are not read here, but for a `--help` where that program has to be named first.
   */
  readonly passesOn?: true;
  /** What 0 and 1 mean to a shell; 2 means the same everywhere, and 3 to all that ask the server. */
  readonly exits: string;
  /**
   * @returns the exit code
   * @throws {UsageError} {ServerAway} {ServerRefused}
   */
  run(call: Call): Promise<number>;
}

export type CommandOption = NonNullable<ParseArgsConfig["options"]>[string] & { readonly describe: string };

export interface Call {
  readonly parameters: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  /** Whether to print the server's answer as it is. */
  readonly json: boolean;
  readonly workspace: string | undefined;
  readonly server: Server;
  readonly surroundings: Surroundings;
}

export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** One or more lines, without a line break at the end. */
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  /** Takes the place of what it showed before; left out where nobody watches. */
  readonly progress?: ((line: string) => void) | undefined;
  /** Runs one of the project's scripts in this terminal. @returns its exit code */
  readonly runScript?: (file: string, args: readonly string[]) => Promise<number>;
  /** From then on an interrupt ends the command and not the process. @returns what fires with it */
  readonly interrupted?: () => AbortSignal;
}

/** What a shell sees. */
export const EXIT = { yes: 0, no: 1, usage: 2, away: 3 } as const;

/** The command was called in a way that it is not made for. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** @throws {UsageError} for an option that is no whole number from 1 to `most` */
export function numberOf({ options }: Pick<Call, "options">, name: string, most: number): number | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new UsageError(`--${name} wants a number from 1 to ${most}, not "${value}"`);
}

/** What is sent of `--workspace`. */
export const inWorkspace = ({ workspace }: Pick<Call, "workspace">) =>
  workspace === undefined ? {} : { workspace };
