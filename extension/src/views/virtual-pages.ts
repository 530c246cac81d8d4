/** Read-only documents of the scheme `dhi-page`, with links in them. */
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import type { LinkTarget, Page } from "./page.ts";

export interface VirtualPages extends vscode.Disposable {
  /** Opens the page beside the code, or renews it where it is open. */
  show(name: string, page: Page): Promise<void>;
}

const SCHEME = "dhi-page";

/** @param fileOf where a file that the server names is on this machine */
export function createVirtualPages(
  fileOf: (file: { readonly workspace?: string; readonly path: string }) => string | undefined,
): VirtualPages {
  const pages = new Map<string, Page>();
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const registered = vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent: ({ path }) => pages.get(path)?.text ?? "",
    }),
    vscode.languages.registerDocumentLinkProvider(
      { scheme: SCHEME },
      { provideDocumentLinks: (document) => linksOf(document) },
    ),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === SCHEME) pages.delete(uri.path);
    }),
  );
  return {
    async show(name, page) {
      const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}.md` });
      pages.set(uri.path, page);
      changed.fire(uri);
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, {
        preview: false,
        viewColumn: vscode.ViewColumn.Active,
      });
    },
    dispose: () => registered.dispose(),
  };

  function linksOf(document: vscode.TextDocument): vscode.DocumentLink[] {
    const { links } = pages.get(document.uri.path) ?? { links: [] };
    return links.flatMap(({ start, end, target }) => {
      const uri = uriOf(target);
      const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
      return uri ? [new vscode.DocumentLink(range, uri)] : [];
    });
  }

  function uriOf(target: LinkTarget): vscode.Uri | undefined {
    if ("command" in target) {
      const query = target.arguments ? `?${encodeURIComponent(JSON.stringify(target.arguments))}` : "";
      return vscode.Uri.parse(`command:${target.command}${query}`);
    }
    const file = fileOf(target.file);
    return file === undefined
      ? undefined
      : vscode.Uri.file(file).with({ fragment: `L${target.startLine}-L${target.endLine}` });
  }
}
