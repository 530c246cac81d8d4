/** The `dhi` command: which one is meant, and what its end means to a shell. */
import { parseArgs } from "node:util";
import { type Call, type Command, EXIT, type Surroundings, UsageError } from "./command.ts";
import { bench } from "./commands/bench.ts";
import { complete } from "./commands/complete.ts";
import { createCompletion } from "./commands/completion.ts";
import { mode, model } from "./commands/config.ts";
import { doctor } from "./commands/doctor.ts";
import { explain } from "./commands/explain.ts";
import { index } from "./commands/index-files.ts";
import { prompt } from "./commands/prompt.ts";
import { search } from "./commands/search.ts";
import { start } from "./commands/start.ts";
import { stats } from "./commands/stats.ts";
import { DEFAULT_URL, helpOf, overview } from "./help.ts";
import { ServerAway, ServerRefused, serverAt } from "./server.ts";

const asked: readonly Command[] = [
  ...[start, doctor, index, explain, search, complete, prompt, mode, model, stats, bench],
];
export const commands: readonly Command[] = [...asked, createCompletion(asked)];

/** By the server's code, where it tells programs and not a shell what to do. */
const HINTS: Readonly<Record<string, string>> = {
  workspace_needed: "Add --workspace NAME, or give the absolute path.",
  unauthorized: "Set DHI_TOKEN to the one that the server was started with.",
};

/** @returns the exit code */
export async function dhi(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { print, complain } = surroundings;
  let command: Command | undefined;
  try {
    const [name, ...rest] = args;
    if (name === undefined) throw new UsageError("no command");
    if (name === "help" || isHelp(name)) {
      command = rest[0] === undefined ? undefined : named(rest[0]);
      print(command ? helpOf(command) : overview(commands));
      return EXIT.yes;
    }
    command = named(name);
    const call = callOf(command, rest, surroundings);
    if (call) return await command.run(call);
    print(helpOf(command));
    return EXIT.yes;
  } catch (error) {
    // What it showed last would stand before the complaint, in the same line.
    surroundings.progress?.("");
    if (error instanceof UsageError) {
      complain(`dhi: ${error.message}\n\n${command ? helpOf(command) : overview(commands)}`);
      return EXIT.usage;
    }
    if (!(error instanceof ServerAway || error instanceof ServerRefused)) throw error;
    complain(`dhi: ${error.message}`);
    const hint = (error instanceof ServerRefused && HINTS[error.code]) || error.hint;
    if (hint) complain(hint);
    return error instanceof ServerRefused && error.isCallersFault ? EXIT.usage : EXIT.away;
  }
}

const isHelp = (word: string | undefined): boolean => word === "--help" || word === "-h";

/** @throws {UsageError} */
function named(name: string): Command {
  const command = commands.find((one) => one.name === name);
  if (!command) throw new UsageError(`no command "${name}"`);
  return command;
}

/** @returns `undefined` when its help is wanted. @throws {UsageError} */
function callOf(command: Command, args: readonly string[], surroundings: Surroundings): Call | undefined {
  const { values, positionals } = parsed(command, args);
  const { help, json, server: given, workspace, ...options } = values;
  if (help) return undefined;
  const { name, parameters, least, most } = command;
  if (positionals.length < least || positionals.length > most)
    throw new UsageError(
      `dhi ${name} takes ${parameters || "no parameters"}, not ${positionals.length || "nothing"}`,
    );
  // An empty variable means the default, as in all settings.
  const url = typeof given === "string" ? given : surroundings.env.DHI_URL || DEFAULT_URL;
  const server = serverAt(url, surroundings.env.DHI_TOKEN);
  if (!server) throw new UsageError(`"${url}" is no URL of a server, as ${DEFAULT_URL} is one`);
  return {
    ...{ parameters: positionals, options, json: json === true, server, surroundings },
    workspace: typeof workspace === "string" ? workspace : undefined,
  };
}

interface Parsed {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
}

function parsed({ options = {}, passesOn, least }: Command, args: readonly string[]): Parsed {
  // Whose help it is, is said by what has to stand before.
  if (passesOn) return { values: { help: least > 0 && isHelp(args[0]) }, positionals: args };
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...options,
        help: { type: "boolean", short: "h" },
        json: { type: "boolean" },
        server: { type: "string" },
        workspace: { type: "string" },
      },
    });
    const single = Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value) ? value[0] : value,
    ]);
    return { values: Object.fromEntries(single), positionals };
  } catch (error) {
    // What follows is about paths that begin with a dash, which nobody meant.
    throw new UsageError(error instanceof Error ? (error.message.split(". ")[0] ?? "") : String(error));
  }
}
