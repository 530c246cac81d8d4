/** Somebody who types in a file of their own and asks for each keystroke, as an editor does; and what came of it. */
import { setTimeout as sleep } from "node:timers/promises";
import { type FimDone, fimDone } from "@dhi/core/protocol";
import type { Random } from "../bench/random.ts";
import { markOf } from "./fake-engine.ts";

export interface Asked {
  /** `given up`: by the typist, or by the server for a newer request. */
  readonly how: "answered" | "given up" | "failed" | "hung";
  readonly ms: number;
  /** What failed, in the server's words. */
  readonly words?: string;
  readonly answer?: FimDone;
  /** It holds the text of somebody else. */
  readonly isWrong: boolean;
}

/** Nobody gave it up, and it has no answer. */
export const hasFailed = ({ how }: Asked): boolean => how === "failed" || how === "hung";

export interface Typist {
  /** Types one more character and asks. A request before it that is not done is given up once the server has taken it. */
  type(): Promise<Asked>;
  /** Typed so far. */
  readonly text: string;
}

export interface TypistOptions {
  readonly url: string;
  /** One per typist: in the names that they write, and of the editor session. */
  readonly id: number;
  readonly random: Random;
  readonly deadlineMs: number;
  /** Of requests, how many are given up while they are answered, 0 to 1. */
  readonly givesUp?: number;
}

/** After its deadline a request may take so much longer to say so, on a machine that is busy. */
const GRACE_MS = 10_000;
/** Files are as long as people's: what is typed from then on begins anew. */
const MOST_CHARS = 4_000;

export function createTypist({ url, id, random, deadlineMs, givesUp = 0 }: TypistOptions): Typist {
  const mark = `s${id}_`;
  const lines = [`const ${mark}total = ${mark}price * 2;\n`, `  return ${mark}round(${mark}total);\n`, "\n"];
  let text = `// ${mark}file\n`;
  let line = "";
  let older: AbortController | undefined;

  return {
    get text() {
      return text;
    },
    async type() {
      line ||= random.pick(lines);
      text += line.slice(0, 1);
      line = line.slice(1);
      if (text.length > MOST_CHARS) text = `// ${mark}file\n`;
      const before = older;
      const own = new AbortController();
      older = own;
      const startedAt = performance.now();
      const hung = AbortSignal.timeout(deadlineMs + GRACE_MS);
      const ended = (how: Asked["how"], more: Partial<Asked> = {}): Asked => ({
        ...{ how, ms: performance.now() - startedAt, isWrong: false },
        ...more,
      });
      if (random.next() < givesUp) void sleep(random.below(10)).then(() => own.abort());
      try {
        const body = { path: `src/${mark}file.ts`, sessionId: mark, prefix: text, suffix: "\n", deadlineMs };
        const response = await fetch(`${url}/v1/fim`, {
          method: "POST",
          body: JSON.stringify(body),
          signal: AbortSignal.any([own.signal, hung]),
        });
        before?.abort();
        const stream = await response.text();
        if (stream === "") return ended("given up");
        const last = fimDone.safeParse(JSON.parse(stream.trim().split("data: ").at(-1) ?? "null"));
        if (!last.success) return ended("failed", { words: stream.slice(-300) });
        const theirs = markOf(last.data.completion);
        return ended("answered", { answer: last.data, isWrong: theirs !== undefined && theirs !== mark });
      } catch (error) {
        if (hung.aborted) return ended("hung");
        if (own.signal.aborted) return ended("given up");
        return ended("failed", { words: String(error) });
      }
    },
  };
}
