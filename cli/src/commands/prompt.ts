/** `dhi prompt`: what would be sent to the model. */
import type { PromptResponse } from "@dhi/core/protocol";
import { type Command, EXIT, inWorkspace } from "../command.ts";
import { cursorOf } from "../cursor.ts";
import { askByPath } from "../path-at-server.ts";
import { hasFields } from "../server.ts";

export const prompt: Command = {
  ...{ name: "prompt", parameters: "FILE:LINE:COL", least: 1, most: 1 },
  summary: "print the prompt for a place; no model is asked",
  exits: "0 printed",
  async run(call) {
    const { server, surroundings, json } = call;
    const { file, prefix, suffix } = cursorOf(call.parameters[0] ?? "", surroundings.cwd);
    const answer = await askByPath(file, server, (path) =>
      server.send("POST", "/v1/prompt", { path, prefix, suffix, ...inWorkspace(call) }, isPrompt),
    );
    surroundings.print(json ? JSON.stringify(answer) : answer.prompt);
    return EXIT.yes;
  },
};

const isPrompt = hasFields<PromptResponse>("prompt", "sources", "tokens");
