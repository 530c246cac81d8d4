/** The `dhi` command: which one is meant, and what its end means to a shell. */
import { parseArgs } from "node:util";
import { explain } from "./explain.ts";
import { ServerAway, ServerRefused, serverAt } from "./server.ts";

export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** One or more lines, without a line break at the end. */
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** What a shell sees. */
export const EXIT = { yes: 0, no: 1, usage: 2, away: 3 } as const;

const DEFAULT_URL = "http://127.0.0.1:8000";

const HELP = `dhi explain PATH    why a file or folder is in Dhi's index, or is not

Options
  --json            the server's answer as it is
  --workspace NAME  which one, when the server has several
  --server URL      where Dhi's server listens (DHI_URL, else ${DEFAULT_URL})
  -h, --help        this text

A server that wants a token takes it from DHI_TOKEN.
Exit codes: 0 indexed, 1 not indexed, 2 wrong usage, 3 no answer from the server.`;

/** By the server's code, where it tells programs and not a shell what to do. */
const HINTS: Readonly<Record<string, string>> = {
  workspace_needed: "Add --workspace NAME, or give the absolute path.",
  unauthorized: "Set DHI_TOKEN to the one that the server was started with.",
};

/** @returns the exit code */
export async function dhi(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { cwd, env, print, complain } = surroundings;
  const { options, problem } = parse(args);
  if (options?.help) {
    print(HELP);
    return EXIT.yes;
  }
  if (!options) {
    complain(`dhi: ${problem}\n\n${HELP}`);
    return EXIT.usage;
  }
  // An empty variable means the default, as in all settings.
  const url = options.server ?? (env.DHI_URL || DEFAULT_URL);
  const server = serverAt(url, env.DHI_TOKEN);
  if (!server) {
    complain(`dhi: "${url}" is no URL of a server, as ${DEFAULT_URL} is one`);
    return EXIT.usage;
  }
  try {
    const answer = await explain(options.path, { cwd, server, workspace: options.workspace });
    print(options.json ? JSON.stringify(answer) : describe(answer));
    return answer.indexed ? EXIT.yes : EXIT.no;
  } catch (error) {
    if (!(error instanceof ServerAway || error instanceof ServerRefused)) throw error;
    complain(`dhi: ${error.message}`);
    const hint = (error instanceof ServerRefused && HINTS[error.code]) || error.hint;
    if (hint) complain(hint);
    return error instanceof ServerRefused && error.isCallersFault ? EXIT.usage : EXIT.away;
  }
}

interface Options {
  readonly help: boolean;
  readonly json: boolean;
  readonly path: string;
  readonly server: string | undefined;
  readonly workspace: string | undefined;
}

type Parsed =
  | { readonly options: Options; readonly problem?: never }
  | { readonly options?: never; readonly problem: string };

function parse(args: readonly string[]): Parsed {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: "boolean", short: "h", default: false },
        json: { type: "boolean", default: false },
        server: { type: "string" },
        workspace: { type: "string" },
      },
    });
    const [command, path, ...more] = positionals;
    const { help, json, server, workspace } = values;
    const options = { help, json, server, workspace, path: path ?? "." };
    if (help) return { options };
    if (command === undefined) return { problem: "no command" };
    if (command !== "explain") return { problem: `no command "${command}"` };
    if (path === undefined) return { problem: "explain which path?" };
    if (more.length) return { problem: `one path at a time, not ${more.length + 1}` };
    return { options };
  } catch (error) {
    // What follows is about paths that begin with a dash, which nobody meant.
    return { problem: error instanceof Error ? (error.message.split(". ")[0] ?? "") : String(error) };
  }
}

function describe({ path, indexed, skipped, detail, hint }: Awaited<ReturnType<typeof explain>>): string {
  const verdict = indexed ? "indexed" : `not indexed${skipped ? ` (${skipped})` : ""}`;
  return [`${path}: ${verdict}`, `  ${detail}`, ...(hint ? [`  ${hint}`] : [])].join("\n");
}
