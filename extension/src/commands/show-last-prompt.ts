/** "Dhi: Show Last Prompt": asks the server what it gave the model for the newest request, and shows that. */
import type { FimRequestInput, PromptResponse } from "@dhi/core/protocol";
import { t } from "../l10n.ts";
import { callForJson, type Server } from "../server.ts";
import { promptPage } from "../views/prompt-page.ts";
import type { VirtualPages } from "../views/virtual-pages.ts";
import { say } from "./say.ts";
import { showServerError } from "./show-server-error.ts";

/** Retrieval and counting tokens: no model is asked. */
const ANSWER_MS = 15_000;

export async function showLastPrompt(
  server: Server,
  request: FimRequestInput | undefined,
  pages: VirtualPages,
): Promise<void> {
  if (!request) {
    void say(t("Dhi: nothing has been asked yet in this window."));
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
