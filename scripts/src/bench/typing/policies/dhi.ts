/**
 * Ours: a request 75 ms after the last keystroke, at once after an accept; where the cursor comes to rest, the server is told
 * to look before the first key; the stream is drawn as it comes; what is typed of the ghost text needs no request; the server
 * joins, reuses and aborts.
 */
import { randomUUID } from "node:crypto";
import { type FimDone, fimDone } from "@dhi/core/protocol";
import type { Editor, NamedPolicy, Policy, PolicyDeps } from "../policy.ts";

const DEBOUNCE_MS = 75;
/** As `look-ahead.ts` of the client has it. */
const REST_MS = 150;

export interface DhiOptions {
  readonly serverUrl: string;
  /** Whether the tier without a model is drawn until the model writes. */
  readonly preview: boolean;
  /** @param firstByteMs from the request to the first of the answer, HTTP included */
  readonly onAnswer: (answer: FimDone, firstByteMs: number) => void;
}

export function dhiPolicy(options: DhiOptions): NamedPolicy {
  return {
    name: "Dhi",
    source: "this repository: the server, and the extension's debounce and reuse",
    start: async (deps) => startDhi(deps, options),
  };
}

interface Shown {
  readonly editor: Editor;
  readonly text: string;
  readonly isPreview: boolean;
}

function startDhi({ draw, asking, scale }: PolicyDeps, { serverUrl, preview, onAnswer }: DhiOptions): Policy {
  const sessionId = randomUUID();
  let timer: NodeJS.Timeout | undefined;
  let request = new AbortController();
  let shown: Shown | undefined;
  let now: Editor | undefined;
  let isClosed = false;
  /** Of the live request, as far as it has come. */
  let streamed: { readonly editor: Editor; text: string } | undefined;

  async function lookAhead(editor: Editor): Promise<void> {
    const response = await fetch(`${serverUrl}/v1/warm`, {
      method: "POST",
      body: JSON.stringify({ sessionId, contextOnly: true, ...editor }),
    });
    // Unread, it keeps its connection from the next request.
    await response.text();
  }

  async function ask(editor: Editor): Promise<void> {
    const older = request;
    request = new AbortController();
    const { signal } = request;
    const own = { editor, text: "" };
    streamed = own;
    const askedAt = performance.now();
    asking(editor.prefix);
    let firstByteMs: number | undefined;
    const response = await fetch(`${serverUrl}/v1/fim`, {
      method: "POST",
      body: JSON.stringify({ sessionId, ahead: true, preview, ...editor }),
      signal,
    });
    // The server has ended the older one, or its call goes on for this one.
    older.abort();
    let rest = "";
    for await (const chunk of response.body ?? []) {
      firstByteMs ??= performance.now() - askedAt;
      const events = (rest + Buffer.from(chunk).toString()).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) {
        const data = JSON.parse(event.replace(/^data: /, ""));
        own.text += data.text ?? "";
        if (data.preview && now === editor) {
          shown = { editor, text: data.preview, isPreview: true };
          draw(data.preview, true);
        }
        const answer = fimDone.safeParse(data);
        if (!answer.success) continue;
        onAnswer(answer.data, firstByteMs);
        const { completion } = answer.data;
        if (now === editor) {
          shown = completion ? { editor, text: completion, isPreview: false } : undefined;
          draw(completion);
        } else if (now && shown?.isPreview && shown.editor === editor && completion.startsWith(shown.text)) {
          // Some of the preview was typed: what goes on from it is drawn, and nothing else.
          shown = { editor, text: completion, isPreview: false };
          draw(leftOf(shown, now) ?? "");
        }
      }
    }
  }

  return {
    changed(editor, why) {
      now = editor;
      clearTimeout(timer);
      const left = shown && leftOf(shown, editor);
      if (left) return draw(left);
      draw("");
      // What is being written is not what the user wants: nobody waits for it.
      if (streamed && !mayContinue(streamed, editor)) request.abort();
      const wait = { typed: DEBOUNCE_MS, accepted: 0, moved: REST_MS }[why];
      const send = why === "moved" ? lookAhead : ask;
      timer = setTimeout(
        // The server is stopped while older requests may still be under way.
        () => void send(editor).catch((error: unknown) => isClosed || ignoreAbort(error)),
        wait * scale,
      );
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      request.abort();
    },
  };
}

function leftOf({ editor, text }: Shown, now: Editor): string | undefined {
  if (now.suffix !== editor.suffix || !now.prefix.startsWith(editor.prefix)) return undefined;
  const typed = now.prefix.slice(editor.prefix.length);
  return text.startsWith(typed) ? text.slice(typed.length) : undefined;
}

/** Whether the text, which may still be short, is what was typed since. */
function mayContinue({ editor, text }: { editor: Editor; text: string }, now: Editor): boolean {
  if (now.suffix !== editor.suffix || !now.prefix.startsWith(editor.prefix)) return false;
  const typed = now.prefix.slice(editor.prefix.length);
  return text.startsWith(typed) || typed.startsWith(text);
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === "AbortError")) throw error;
}
