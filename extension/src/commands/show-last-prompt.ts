/** "Dhi: Show Last Prompt": asks the server what it gave the model for the newest request, and shows that. */
import type { FimRequestInput, PromptResponse } from "@dhi/core/protocol";
import { type Refusal, refusalWords } from "../control/gate.ts";
import { t } from "../l10n.ts";
import { callForJson, type Server } from "../server.ts";
import { promptPage } from "../views/prompt-page.ts";
import type { VirtualPages } from "../views/virtual-pages.ts";
import { say } from "./say.ts";
import { showServerError } from "./show-server-error.ts";

/** Retrieval and counting tokens: no model is asked. */
const ANSWER_MS = 15_000;

/** @param refusalOf why nothing of a request may be sent by now: to be shown its prompt, it is sent again */
export async function showLastPrompt(
  server: Server,
  request: FimRequestInput | undefined,
  refusalOf: (request: FimRequestInput) => Refusal | undefined,
  pages: VirtualPages,
): Promise<void> {
  if (!request) {
    void say(t("Dhi: nothing has been asked yet in this window."));
    return;
  }
  const refusal = refusalOf(request);
  if (refusal) {
    void say(t("Dhi: nothing of {0} is sent any more: {1}.", request.path, refusalWords(refusal)));
    return;
  }
  try {
    const call = { method: "POST", path: "/v1/prompt", body: request } as const;
    const answer = await callForJson<PromptResponse>(server, call, AbortSignal.timeout(ANSWER_MS));
    await pages.show(t("Last Prompt"), promptPage(request, answer));
  } catch (error) {
    await showServerError(error);
  }
}
