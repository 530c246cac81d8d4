/** "Dhi: Why No Suggestion Here?": what is in the way at the cursor; when nothing is, the server is asked. */
import { randomUUID } from "node:crypto";
import { type DocumentContext, documentContext } from "@dhi/client/document-context";
import type { FimDone, FimRequestInput } from "@dhi/core/protocol";
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import { fileRefusal, type Pause, placeRefusal, refusalWords } from "../control/gate.ts";
import { openFolders, serverOf, settings } from "../editor-settings.ts";
import { fileOf } from "../ghost-text-place.ts";
import { lineDocument } from "../inline-completion-provider.ts";
import { t } from "../l10n.ts";
import { addressOf, type Located } from "../locate-file.ts";
import { openSettings } from "../open-settings.ts";
import type { ServedPlaces } from "../served-places.ts";
import type { Server } from "../server.ts";
import type { Status } from "../status.ts";
import { type Finding, type Place, whyAnswered, whyNotAsked } from "../views/why.ts";
import { say } from "./say.ts";
import { showServerError } from "./show-server-error.ts";

export interface WhyDeps {
  readonly places: ServedPlaces;
  readonly pause: () => Pause;
  readonly status: () => Status;
  readonly fetchCompletion: (
    server: Server,
    request: FimRequestInput,
    signal: AbortSignal,
  ) => Promise<FimDone | undefined>;
  /** Told what was asked, so that its prompt can be shown. */
  readonly onAsked: (request: FimRequestInput) => void;
}

/** Whoever asks why waits for it, a model that has to be loaded included. */
const ANSWER_MS = 60_000;

export async function whyNoSuggestion(deps: WhyDeps): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    void say(t("Dhi: put the cursor somewhere in a file first."));
    return;
  }
  try {
    const progress = { location: vscode.ProgressLocation.Window, title: t("Dhi: asking why") };
    await tell(await vscode.window.withProgress(progress, () => find(editor, deps)));
  } catch (error) {
    await showServerError(error);
  }
}

async function find(editor: vscode.TextEditor, deps: WhyDeps): Promise<Finding> {
  const { document, selection, selections } = editor;
  const now = settings(document);
  const file = fileOf(document.uri, openFolders()[0]?.path);
  const located = file === undefined ? undefined : deps.places.locate(vscode.Uri.file(file));
  const context = documentContext(lineDocument(document), selection.active);
  const pause = deps.pause();
  const placed = (trigger: "automatic" | "manual") =>
    placeRefusal({ trigger, languageId: document.languageId, prefix: () => context.prefix }, now, pause);
  // What holds by hand too comes first: for the rest the server is asked.
  const refusal = fileRefusal(located, now, pause) ?? placed("manual") ?? placed("automatic");
  const place: Place = {
    inlineSuggestIsOn: inlineSuggestIsOn(document),
    cursors: selections.length,
    isFile: file !== undefined,
    refusal,
    server: deps.status().server,
  };
  const inTheWay = whyNotAsked(place);
  if (inTheWay) return inTheWay;
  if (!located) return { words: refusalWords({ kind: "not-served" }) };

  const request = fimRequest(located, context);
  const started = performance.now();
  const answer = await deps.fetchCompletion(serverOf(now), request, AbortSignal.timeout(ANSWER_MS));
  deps.onAsked(request);
  if (!answer) return { words: t("The server ended the request without an answer."), action: "doctor" };
  return whyAnswered(answer, Math.round(performance.now() - started), place);
}

export function inlineSuggestIsOn(document?: vscode.TextDocument): boolean {
  return vscode.workspace.getConfiguration("editor.inlineSuggest", document).get("enabled") !== false;
}

/** A session of its own: it must not end what is asked for while typing. */
function fimRequest(located: Located, context: DocumentContext): FimRequestInput {
  const ids = { requestId: randomUUID(), sessionId: randomUUID() };
  return { ...addressOf(located), ...context, ...ids, trigger: "manual" };
}

async function tell({ words, action }: Finding): Promise<void> {
  const label = action && ACTIONS[action].label();
  const picked = await say(words, ...(label ? [label] : []));
  if (picked && action) await ACTIONS[action].run();
}

const run = (command: string) => () => vscode.commands.executeCommand(command);

const ACTIONS = {
  settings: { label: () => t("Settings"), run: () => openSettings() },
  // Where it is on for all others, it is the language of this file that is off.
  enable: {
    label: () => t("Enable"),
    run: () => vscode.commands.executeCommand(settings().enable ? "dhi.toggleLanguage" : "dhi.toggle"),
  },
  endSnooze: { label: () => t("End Snooze"), run: run("dhi.endSnooze") },
  doctor: { label: () => t("Doctor"), run: run("dhi.doctor") },
  prompt: { label: () => t("Show Last Prompt"), run: run("dhi.showLastPrompt") },
} as const;
