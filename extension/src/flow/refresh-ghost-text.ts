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
  /** Who asked for what is being refreshed right now: VS Code would say that the user did, by hand. */
  readonly refreshing: () => Cursor["trigger"] | undefined;
}

export function createRefreshGhostText(): RefreshGhostText {
  let last: Offered | undefined;
  let refreshing: Cursor["trigger"] | undefined;

  return {
    offered(offered) {
      last = offered;
    },
    grown(isWhole) {
      if (isWhole) void refresh();
    },
    refreshing: () => refreshing,
  };

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
