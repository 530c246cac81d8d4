/** What a model says of itself, as Ollama tells it: a name is the user's, the rest is the file's. */
import { ollamaError } from "@dhi/core/ollama";
import { z } from "zod";
import type { ModelShape } from "../machine/need.ts";

export interface ModelMetadata {
  /** As the file's makers call it; empty when they do not. */
  readonly ownNames: readonly string[];
  /** `general.architecture`; empty when not told. */
  readonly architecture: string;
  /** Which of the asked texts are tokens; undefined when the vocabulary was not told. */
  readonly tokens?: ReadonlySet<string>;
  /** Of Ollama's prompt; empty when there is none. */
  readonly template: string;
  /** `completion`, `insert`, `embedding`, …; empty from an Ollama that does not tell. */
  readonly capabilities: readonly string[];
  /** `undefined` when it is not told, or differs from layer to layer. */
  readonly shape?: ModelShape | undefined;
}

const showResponse = z.object({
  template: z.string().default(""),
  capabilities: z.array(z.string()).nullish(),
  model_info: z.record(z.string(), z.unknown()).default({}),
});
const text = z.string().catch("");
const texts = z.array(z.string()).catch([]);

/** The vocabulary's 0.6 to 8 MB are read at once; it is asked for once per model. */
const TIMEOUT_MS = 20_000;

/**
 * @param marks the texts whose place in the vocabulary matters; without any the vocabulary stays where it is
 * @throws {UpstreamError} that quotes Ollama
 */
export async function readMetadata(
  host: string,
  model: string,
  marks: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ModelMetadata> {
  try {
    const response = await fetch(`${host}/api/show`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model, verbose: marks.size > 0 }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (!response.ok) throw new Error(`${response.status} ${(await response.text()).slice(0, 200)}`);
    return metadataOf(showResponse.parse(await response.json()), marks);
  } catch (error) {
    throw ollamaError(error, host, signal);
  }
}

function metadataOf(shown: z.infer<typeof showResponse>, marks: ReadonlySet<string>): ModelMetadata {
  const info = shown.model_info;
  const names = [info["general.basename"], info["general.name"], info["general.finetune"]].map((name) =>
    text.parse(name),
  );
  // SentencePiece puts its mark for a blank before a token that the trainers added with one.
  const vocabulary = texts
    .parse(info["tokenizer.ggml.tokens"])
    .map((token) => token.replace(/^▁(?=[<[])/, ""));
  return {
    ownNames: names.filter((name) => name !== ""),
    architecture: text.parse(info["general.architecture"]),
    ...(marks.size > 0 &&
      vocabulary.length > 0 && { tokens: new Set(vocabulary.filter((token) => marks.has(token))) }),
    template: shown.template,
    capabilities: shown.capabilities ?? [],
    shape: shapeOf(info),
  };
}

const count = z.int().positive();
const counts = z.object({
  block_count: count,
  "attention.head_count": count,
  "attention.head_count_kv": count.optional(),
  "attention.key_length": count.optional(),
  "attention.value_length": count.optional(),
  embedding_length: count,
});

/** Without `key_length` the heads share the embedding, as GGUF's specification has it. */
function shapeOf(info: Readonly<Record<string, unknown>>): ModelShape | undefined {
  const architecture = text.parse(info["general.architecture"]);
  const own = Object.entries(info).map(([key, value]) => [key.replace(`${architecture}.`, ""), value]);
  const told = counts.safeParse(Object.fromEntries(own)).data;
  if (!told) return undefined;
  const perHead = told.embedding_length / told["attention.head_count"];
  return {
    layers: told.block_count,
    kvHeads: told["attention.head_count_kv"] ?? told["attention.head_count"],
    keyLength: told["attention.key_length"] ?? perHead,
    valueLength: told["attention.value_length"] ?? perHead,
  };
}

/** A model that Ollama has. */
export interface InstalledModel {
  readonly name: string;
  /** Another one when its weights are others, also under the same name. */
  readonly digest: string;
  /** Of its files; `null` from an Ollama that does not tell. */
  readonly bytes: number | null;
}

/** @throws {UpstreamError} that quotes Ollama */
export async function installedModels(host: string, signal: AbortSignal): Promise<InstalledModel[]> {
  try {
    const response = await fetch(`${host}/api/tags`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (!response.ok) throw new Error(`${response.status} ${(await response.text()).slice(0, 200)}`);
    const { models } = tagsResponse.parse(await response.json());
    return models.map(({ name, digest, size }) => ({ name, digest: digest || name, bytes: size }));
  } catch (error) {
    throw ollamaError(error, host, signal);
  }
}

const tagsResponse = z.object({
  models: z.array(
    z.object({
      name: z.string(),
      digest: z.string().default(""),
      size: z.number().nullable().default(null),
    }),
  ),
});
