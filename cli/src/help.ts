/** What `dhi --help` and `dhi COMMAND --help` print. */
import type { Command } from "./command.ts";

export const DEFAULT_URL = "http://127.0.0.1:8000";

const COMMON = [
  ["--json", "the server's answer as it is"],
  ["--workspace NAME", "which one, when the server has several"],
  ["--server URL", `where Dhi's server listens (DHI_URL, else ${DEFAULT_URL})`],
  ["-h, --help", "this text; for one command: dhi COMMAND --help"],
] as const;

const USAGE = "2 wrong usage";
const EXITS = `${USAGE}, 3 no answer from the server`;

export function overview(commands: readonly Command[]): string {
  return [
    columns(commands.map((command) => [usageOf(command), command.summary])),
    `Options of all commands\n${columns(COMMON.map(([option, text]) => [`  ${option}`, text]))}`,
    `A server that wants a token takes it from DHI_TOKEN.\nExit codes: 0 and 1 as each command's help says, ${EXITS}.`,
  ].join("\n\n");
}

export function helpOf(command: Command): string {
  const own = Object.entries(command.options ?? {}).map(
    ([name, { short, type, describe }]): [string, string] => [
      `${short ? `-${short}, ` : ""}--${name}${type === "string" ? ` ${name.toUpperCase()}` : ""}`,
      describe,
    ],
  );
  const options = [...own, ...(command.passesOn ? [] : COMMON)].map(([option, text]): [string, string] => [
    `  ${option}`,
    text,
  ]);
  return [
    `${usageOf(command)}\n  ${command.summary}`,
    ...(options.length ? [`Options\n${columns(options)}`] : []),
    `Exit codes: ${command.exits}, ${command.passesOn ? USAGE : EXITS}.`,
  ].join("\n\n");
}

const usageOf = ({ name, parameters }: Command): string => `dhi ${name} ${parameters}`.trimEnd();

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`).join("\n");
}
