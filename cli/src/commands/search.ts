/** `dhi search`: the index, asked. */
import { type Command, EXIT, inWorkspace, numberOf } from "../command.ts";
import { hasFields } from "../server.ts";

/** What of an answer is shown. */
interface Found {
  readonly results: readonly {
    readonly file_path: string;
    readonly start_line: number;
    readonly end_line: number;
    readonly node_type: string;
    readonly name: string | null;
    readonly legs: readonly string[];
  }[];
}

export const search: Command = {
  ...{ name: "search", parameters: "QUERY…", least: 1, most: 100 },
  summary: "search the indexed code",
  options: {
    mode: { type: "string", describe: "hybrid (default), vector, lexical or symbols" },
    limit: { type: "string", short: "n", describe: "how many results, 10 by default" },
  },
  exits: "0 something was found, 1 nothing was",
  async run(call) {
    const { server, surroundings, json, options } = call;
    const body = {
      query: call.parameters.join(" "),
      ...(options.mode !== undefined && { mode: options.mode }),
      n_results: numberOf(call, "limit", 100) ?? 10,
      ...inWorkspace(call),
    };
    const answer = await server.send("POST", "/search", body, isFound);
    if (json) surroundings.print(JSON.stringify(answer));
    else if (answer.results.length) surroundings.print(answer.results.map(describe).join("\n"));
    return answer.results.length ? EXIT.yes : EXIT.no;
  },
};

const isFound = hasFields<Found>("results");

const describe = ({
  file_path,
  start_line,
  end_line,
  node_type,
  name,
  legs,
}: Found["results"][number]): string =>
  `${file_path}:${start_line}-${end_line}  ${[node_type, name].filter(Boolean).join(" ")}  (${legs.join(", ")})`;
