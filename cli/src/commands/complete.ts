/** `dhi complete`: what an editor would show at a place. */
import type { FimDone } from "@dhi/core/protocol";
import { type Command, EXIT, inWorkspace } from "../command.ts";
import { cursorOf } from "../cursor.ts";
import { askByPath } from "../path-at-server.ts";
import { hasFields } from "../server.ts";

export const complete: Command = {
  ...{ name: "complete", parameters: "FILE:LINE:COL", least: 1, most: 1 },
  summary: "complete the code at a place, as an editor would show it",
  exits: "0 something is shown, 1 nothing is",
  async run(call) {
    const { server, surroundings, json } = call;
    const { file, prefix, suffix } = cursorOf(call.parameters[0] ?? "", surroundings.cwd);
    const answer = await askByPath(file, server, (path) =>
      server.send(
        "POST",
        "/v1/fim",
        { path, prefix, suffix, trigger: "manual", ...inWorkspace(call) },
        isDone,
      ),
    );
    const { completion, reason, engine, model, timings } = answer;
    if (json) surroundings.print(JSON.stringify(answer));
    else if (completion) surroundings.print(completion);
    else
      surroundings.complain(
        `dhi: nothing to show: ${reason} (${engine} ${model}, ${Math.round(timings.total)} ms)`,
      );
    return completion ? EXIT.yes : EXIT.no;
  },
};

const isDone = hasFields<FimDone>("done", "completion", "reason", "timings");
