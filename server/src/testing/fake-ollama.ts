/** An Ollama whose models can be changed while it runs. */
import { type FakeServer, startFakeServer } from "@dhi/core/testing/fake-server";
import type { ShownModel } from "./shown-models.ts";

export interface FakeModel {
  readonly shown: ShownModel;
  readonly digest?: string;
  readonly size?: number;
  /** What it takes of the memory; left out, it is not loaded. */
  readonly loaded?: { readonly size: number; readonly size_vram: number };
  /** A status and a body instead of its text; `undefined`: it writes. */
  readonly breaks?: (prompt: string) => { readonly status: number; readonly body: object } | undefined;
  /** What it writes, whatever it is asked; `+ b` by default. */
  readonly answer?: string;
}

/** @param library what it has, by name; `stall` holds its answer to a completion back */
export const startFakeOllama = (
  library: Readonly<Record<string, FakeModel>>,
  stall: (model: string) => Promise<void> = async () => {},
): Promise<FakeServer> =>
  startFakeServer(async ({ path, body }, response) => {
    const { model = "", prompt = "", verbose } = (body ?? {}) as Record<string, string>;
    const found = library[model];
    if (path === "/api/tags") {
      const models = Object.entries(library).map(([name, { digest = name, size = 1 }]) => ({
        ...{ name, digest, size },
      }));
      response.end(JSON.stringify({ models }));
    } else if (path === "/api/ps") {
      const models = Object.entries(library).flatMap(([name, { loaded }]) =>
        loaded ? { name, ...loaded } : [],
      );
      response.end(JSON.stringify({ models }));
    } else if (!found) {
      response.writeHead(404).end(JSON.stringify({ error: `model '${model}' not found` }));
    } else if (path === "/api/show") {
      const { "tokenizer.ggml.tokens": tokens, ...rest } = found.shown.model_info;
      const model_info = { ...rest, "tokenizer.ggml.tokens": verbose ? tokens : null };
      response.end(JSON.stringify({ ...found.shown, model_info }));
    } else {
      if (prompt) await stall(model);
      const { answer = "+ b", breaks } = found;
      const broken = prompt ? breaks?.(prompt) : undefined;
      if (broken) return void response.writeHead(broken.status).end(`${JSON.stringify(broken.body)}\n`);
      const counts = { prompt_eval_count: prompt === "" ? 0 : 5, eval_count: 2 };
      response.end(`${JSON.stringify({ response: prompt ? answer : "", done: true, ...counts })}\n`);
    }
  });
