/**
 * "Suggest Now" and "Next Alternative" where VS Code would not ask anybody: at one place it asks by hand a single time
 * (`UpdateRequest.satisfies`), and a suggestion that was asked for by hand, or that has grown, was that. There the others are
 * written first, while what is shown stays; then it is hidden for a moment, which makes VS Code ask.
 */
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import type { Offered } from "../inline-completion-provider.ts";
import { t } from "../l10n.ts";
import type { RefreshGhostText } from "./refresh-ghost-text.ts";

export interface OtherSuggestions {
  /** @param wanted `others` where one is shown, which the key's `when` knows; without it, asks for one */
  suggest(wanted?: { readonly others?: boolean }): Promise<void>;
  /** Shows the next one, or the one before, once it is there. */
  step(action: "showNext" | "showPrevious"): Promise<void>;
  /** The user has gone on: what is being written is not waited for. */
  cancel(): void;
}

export function createOtherSuggestions({
  current,
  writing,
}: Pick<RefreshGhostText, "current" | "writing">): OtherSuggestions {
  let asking: { readonly signal: AbortController; readonly done: Promise<Brought> } | undefined;

  return {
    async suggest(wanted) {
      if (!wanted?.others || (await bring()) === "not-needed") await inlineSuggest("trigger");
    },
    async step(action) {
      if ((await bring()) !== "unwanted") await inlineSuggest(action);
    },
    cancel() {
      asking?.signal.abort();
    },
  };

  async function bring(): Promise<Brought> {
    if (asking) return asking.done;
    const shown = current();
    if (!shown?.isInvoked || shown.selected || shown.others.length > 0) return "not-needed";
    const signal = new AbortController();
    const done = written(shown, signal.signal).finally(() => {
      asking = undefined;
    });
    asking = { signal, done };
    return done;
  }

  async function written(shown: Offered, signal: AbortSignal): Promise<Brought> {
    writing(true);
    const all = await shown.bringOthers(signal);
    writing(false);
    if (signal.aborted || current() !== shown) return "unwanted";
    if (all.length > 1) {
      await inlineSuggest("hide");
      await inlineSuggest("trigger");
    } else vscode.window.setStatusBarMessage(t("Dhi: there is no other suggestion here."), 4_000);
    return "done";
  }
}

/** `not-needed`: VS Code asks by itself. `done`: it shows what there is. `unwanted`: the user has gone on meanwhile. */
type Brought = "not-needed" | "done" | "unwanted";

/** VS Code's own commands do it, for whatever ghost text is shown. */
export const inlineSuggest = (action: string): Thenable<unknown> =>
  vscode.commands.executeCommand(`editor.action.inlineSuggest.${action}`);
