/**
 * A fake Ollama with the speed of a real one: it reads prompts at one rate, remembering the last, writes tokens at
 * another, and answers one request at a time. What it writes is mostly what the user is about to type, so that a
 * policy can be judged by what it asks for and shows.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../random.ts";
import { type Reread, rereadOf, sharedStart } from "./reread.ts";

export interface FakeOllamaOptions {
  readonly model: string;
  /** Tokens a second, of a prompt that is not remembered. */
  readonly prefillRate: number;
  readonly decodeRate: number;
  /** How often a line that it writes is the right one, 0 to 1. */
  readonly rightLines: number;
  readonly seed: number;
}

export interface EngineCounts {
  readonly requests: number;
  readonly aborted: number;
  readonly promptTokens: number;
  /** Of the prompts, the start that the last prompt had too. */
  readonly cachedTokens: number;
  /** Of the first prompt after each {@link FakeOllama.aim}: another file, of which hardly anything can be cached. */
  readonly coldTokens: number;
  readonly coldCachedTokens: number;
  /** Tokens of the other prompts that were not cached, by what had changed. */
  readonly reread: Readonly<Record<Reread, number>>;
  readonly decodedTokens: number;
  /** Written after the user had typed something else than what was being written. */
  readonly decodedAfterSupersede: number;
  /** Written for a call after a newer request for something else, but for the first: that one was being decoded already. */
  readonly decodedLate: number;
  /** The most of one call. */
  readonly mostLate: number;
}

export interface Prompt {
  readonly text: string;
  /** Since another file was aimed at. */
  readonly isFirst: boolean;
}

export interface FakeOllama extends AsyncDisposable {
  readonly url: string;
  readonly counts: EngineCounts;
  /** All that were read, oldest first. */
  readonly prompts: readonly Prompt[];
  /** What the file will be when the user is done. */
  aim(target: string): void;
  /** What now stands left of the cursor. */
  typed(prefix: string): void;
  /** The same of a newer request, before it gets here; one that gets here counts by itself. */
  asked(prefix: string): void;
}

/** What tokenizers of code take on average, roughly; the same for all policies. */
const CHARS_PER_TOKEN = 4;
/** Of the text left of the cursor, so much finds the place again. */
const TAIL = 60;

interface GenerateRequest {
  readonly prompt?: string;
  readonly options?: { readonly num_predict?: number; readonly stop?: readonly string[] };
}

export async function startFakeOllama(options: FakeOllamaOptions): Promise<FakeOllama> {
  const { model, prefillRate, decodeRate } = options;
  const counts = {
    ...{ requests: 0, aborted: 0, promptTokens: 0, cachedTokens: 0, coldTokens: 0, coldCachedTokens: 0 },
    reread: { "other file": 0, snippets: 0, window: 0, "other text": 0, typed: 0 },
    ...{ decodedTokens: 0, decodedAfterSupersede: 0, decodedLate: 0, mostLate: 0 },
  };
  const prompts: Prompt[] = [];
  const live = new Set<Writing>();
  let target = "";
  let isCold = true;
  let turn: Promise<void> = Promise.resolve();

  async function generate(
    { prompt, options: wanted }: GenerateRequest,
    response: ServerResponse,
  ): Promise<void> {
    const closed = new AbortController();
    response.on("close", () => closed.abort());
    const finish = (more: object) =>
      response.end(`${JSON.stringify({ model, response: "", done: true, ...more })}\n`);
    if (!prompt) return void finish({ done_reason: "load" });

    asked(prefixIn(prompt));
    const before = turn;
    let release = () => {};
    turn = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    try {
      if (closed.signal.aborted) return;
      counts.requests++;
      const prefix = prefixIn(prompt);
      const writing: Writing = {
        prefix,
        text: continuation(target, prefix, options),
        superseded: false,
        overtaken: false,
        late: 0,
      };
      live.add(writing);
      const lastPrompt = prompts.at(-1)?.text ?? "";
      const cached = tokens(sharedStart(prompt, lastPrompt));
      prompts.push({ text: prompt, isFirst: isCold });
      counts.promptTokens += tokens(prompt.length);
      counts.cachedTokens += cached;
      if (isCold) {
        counts.coldTokens += tokens(prompt.length);
        counts.coldCachedTokens += cached;
      } else {
        counts.reread[rereadOf(prompt, lastPrompt)] += tokens(prompt.length) - cached;
      }
      isCold = false;
      try {
        await sleep(((tokens(prompt.length) - cached) / prefillRate) * 1000, undefined, {
          signal: closed.signal,
        });
        const text = cutAt(writing.text, wanted?.stop ?? []);
        const most = (wanted?.num_predict ?? 128) * CHARS_PER_TOKEN;
        for (let at = 0; at < Math.min(text.length, most); at += CHARS_PER_TOKEN) {
          await sleep(1000 / decodeRate, undefined, { signal: closed.signal });
          counts.decodedTokens++;
          if (writing.superseded) counts.decodedAfterSupersede++;
          if (writing.overtaken && ++writing.late > 1) {
            counts.decodedLate++;
            counts.mostLate = Math.max(counts.mostLate, writing.late - 1);
          }
          response.write(
            `${JSON.stringify({ model, response: text.slice(at, at + CHARS_PER_TOKEN), done: false })}\n`,
          );
        }
        finish({ done_reason: text.length > most ? "length" : "stop" });
      } catch {
        counts.aborted++;
      } finally {
        live.delete(writing);
      }
    } finally {
      release();
    }
  }

  function asked(prefix: string): void {
    for (const writing of live) writing.overtaken ||= !goesOn(writing, prefix.slice(-TAIL * 4));
  }

  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const json = (body: object) => response.end(JSON.stringify(body));
    if (request.url === "/api/generate")
      await generate(JSON.parse(Buffer.concat(parts).toString()), response);
    else if (request.url === "/api/tags") json({ models: [{ name: model, model }] });
    else if (request.url === "/api/ps") json({ models: [{ name: model, model }] });
    else if (request.url === "/api/version") json({ version: "0.17.4" });
    else response.writeHead(404).end(JSON.stringify({ error: "the fake has none" }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    prompts,
    aim(text) {
      target = text;
      isCold = true;
    },
    typed(prefix) {
      for (const writing of live) writing.superseded ||= !goesOn(writing, prefix.slice(-TAIL * 4));
    },
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

interface Writing {
  readonly prefix: string;
  readonly text: string;
  superseded: boolean;
  /** By a newer request; it is some time after the keystroke. */
  overtaken: boolean;
  /** Tokens written since. */
  late: number;
}

const tokens = (chars: number): number => Math.floor(chars / CHARS_PER_TOKEN);

/**
 * Whether what stands left of the cursor is what the call began with and some of what it writes; or, of a call for what is
 * wanted after an accept, the user is still on the way there.
 */
function goesOn({ prefix, text }: Writing, ahead: string): boolean {
  const tail = prefix.slice(-TAIL);
  const at = ahead.lastIndexOf(tail);
  if (at >= 0) return text.startsWith(ahead.slice(at + tail.length));
  return prefix.slice(-TAIL * 4).includes(ahead.slice(-TAIL));
}

/** Qwen's format, which all policies use here. */
function prefixIn(prompt: string): string {
  const start = prompt.lastIndexOf("<|fim_prefix|>");
  const end = prompt.lastIndexOf("<|fim_suffix|>");
  return start < 0 || end < start ? prompt : prompt.slice(start + "<|fim_prefix|>".length, end);
}

/** The rest of the target, with some lines replaced by others of it; always the same for the same place. */
function continuation(target: string, prefix: string, { rightLines, seed }: FakeOllamaOptions): string {
  const tail = prefix.slice(-TAIL);
  const found = target.lastIndexOf(tail);
  // The user mistyped, or stands elsewhere: something that does not fit.
  if (found < 0) return "undefined;\n";
  const at = found + tail.length;
  const lines = target.slice(at, at + 2_000).split("\n");
  const firstLine = target.slice(0, at).split("\n").length;
  return lines
    .map((line, i) => {
      const isRight = createRandom(seed + (firstLine + i) * 7_919).next() < rightLines;
      return isRight ? line : `${line.slice(0, line.length / 2)}Other`;
    })
    .join("\n");
}

function cutAt(text: string, stops: readonly string[]): string {
  const ends = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
  return ends.length ? text.slice(0, Math.min(...ends)) : text;
}
