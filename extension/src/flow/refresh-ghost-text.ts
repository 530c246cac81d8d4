/** Shows more of a suggestion once there is more, where nothing has changed meanwhile. */
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import type { Cursor } from "../complete-at-cursor.ts";
import type { Offered } from "../inline-completion-provider.ts";

export interface RefreshGhostText {
  offered(offered: Offered): void;
  /** Of what was offered last there are more lines. */
  grown(): void;
  /** Who asked for what is being refreshed right now: VS Code would say that the user did, by hand. */
  readonly refreshing: () => Cursor["trigger"] | undefined;
  dispose(): void;
}

/** Lines that come within this are drawn together. */
const TOGETHER_MS = 50;

export function createRefreshGhostText(): RefreshGhostText {
  let last: Offered | undefined;
  let refreshing: Cursor["trigger"] | undefined;
  let timer: NodeJS.Timeout | undefined;

  return {
    offered(offered) {
      last = offered;
    },
    grown() {
      clearTimeout(timer);
      timer = setTimeout(refresh, TOGETHER_MS);
    },
    refreshing: () => refreshing,
    dispose: () => clearTimeout(timer),
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
