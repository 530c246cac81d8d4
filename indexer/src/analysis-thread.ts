/** A thread of `analysis-threads.ts`: one task in, its answer out. */
import { parentPort } from "node:worker_threads";
import { createHashEmbedder } from "@dhi/core/hash-embedder";
import { languageById } from "@dhi/core/languages";
import { toBlob } from "@dhi/core/vector-blob";
import { analysisOf } from "./analysis.ts";
import type { ThreadAnswer, ThreadTask } from "./analysis-threads.ts";
import { createAnalyzer } from "./chunker/analyze.ts";
import { readContent } from "./read-content.ts";

const analyzer = await createAnalyzer();
const embedder = createHashEmbedder();
const never = new AbortController().signal;

async function answerTo(task: ThreadTask): Promise<ThreadAnswer> {
  if ("file" in task) return { content: readContent(task.file, analyzer) };
  if ("text" in task) return { analysis: analysisOf(analyzer, task.text, languageById(task.languageId)) };
  const vectors = await embedder.embedDocuments(task.texts, never);
  return { vectors: vectors.map(toBlob) };
}

parentPort?.on("message", async (task: ThreadTask) => parentPort?.postMessage(await answerTo(task)));
