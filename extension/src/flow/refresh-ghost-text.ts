/**
 * Shows all of a suggestion once all of it is there, where nothing has changed meanwhile.
 *
 * Once, and not line by line: at one place VS Code asks again for what the user has not typed on but a single time
 * (`UpdateRequest.satisfies`), unless the ghost text is hidden in between, which flickers.
 */
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import type { Cursor } from "../complete-at-cursor.ts";
import type { Offered } from "../inline-completion-provider.ts";

export interface RefreshGhostText {
  offered(offered: Offered): void;
  /** Of what was offered last there are more lines. @param isWhole no more will come */
  grown(isWhole: boolean): void;
  /** The user does not want it, or has gone elsewhere: what comes of it is not shown. */
  dismissed(): void;
  /** What was offered last, while the cursor has stayed there and nothing has changed: it is shown, or was hidden. */
  readonly current: () => Offered | undefined;
  /** Something is being written for what is shown, or no longer: meanwhile Escape ends that, too. */
  writing(is: boolean): void;
  /** Who asked for what is being refreshed right now: VS Code would say that the user did, by hand. */
  readonly refreshing: () => Cursor["trigger"] | undefined;
}

export function createRefreshGhostText(): RefreshGhostText {
  let last: Offered | undefined;
  let refreshing: Cursor["trigger"] | undefined;
  let isWriting = false;

  return {
    offered(offered) {
      last = offered;
      setWriting(offered.suggestion.answer === undefined);
    },
    grown(isWhole) {
      if (!isWhole) return;
      setWriting(false);
      void refresh();
    },
    dismissed() {
      last = undefined;
      setWriting(false);
    },
    current: () => (last && isStillThere(last) ? last : undefined),
    writing: setWriting,
    refreshing: () => refreshing,
  };

  /** Meanwhile Escape is `dhi.dismiss`: VS Code hides ghost text without telling anybody. */
  function setWriting(is: boolean): void {
    if (is === isWriting) return;
    isWriting = is;
    void vscode.commands.executeCommand("setContext", "dhi.isWriting", is);
  }

  async function refresh(): Promise<void> {
    if (!last || last.selected || !isStillThere(last)) return;
    refreshing = last.trigger;
    try {
      await vscode.commands.executeCommand("editor.action.inlineSuggest.trigger");
    } finally {
      refreshing = undefined;
    }
  }
}

function isStillThere({ document, version, position }: Offered): boolean {
  const editor = vscode.window.activeTextEditor;
  return (
    editor?.document === document && document.version === version && editor.selection.active.isEqual(position)
  );
}
