/** `dhi explain`: why a path is in the index, or is not. */
import { resolve } from "node:path";
import type { ExplainResponse } from "@dhi/core/protocol";
import { type Command, EXIT, inWorkspace } from "../command.ts";
import { askByPath } from "../path-at-server.ts";
import { hasFields } from "../server.ts";

export const explain: Command = {
  ...{ name: "explain", parameters: "PATH", least: 1, most: 1 },
  summary: "why a file or folder is in Dhi's index, or is not",
  exits: "0 indexed, 1 not indexed",
  async run(call) {
    const { server, surroundings, json } = call;
    const answer = await askByPath(
      resolve(surroundings.cwd, call.parameters[0] ?? "."),
      server,
      (path) => server.get("/v1/explain", { path, ...inWorkspace(call) }, isExplanation),
      ({ skipped }) => skipped === "outside",
    );
    surroundings.print(json ? JSON.stringify(answer) : describe(answer));
    return answer.indexed ? EXIT.yes : EXIT.no;
  },
};

const isExplanation = hasFields<ExplainResponse>("indexed", "detail");

function describe({ path, indexed, skipped, detail, hint }: ExplainResponse): string {
  const verdict = indexed ? "indexed" : `not indexed${skipped ? ` (${skipped})` : ""}`;
  return [`${path}: ${verdict}`, `  ${detail}`, ...(hint ? [`  ${hint}`] : [])].join("\n");
}
