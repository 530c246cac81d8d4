/** A thread of `analysis-threads.ts`: one text in, its analysis out. */
import { parentPort } from "node:worker_threads";
import { languageById } from "@dhi/core/languages";
import { analysisOf } from "./analysis.ts";
import type { AnalysisTask } from "./analysis-threads.ts";
import { createAnalyzer } from "./chunker/analyze.ts";

const analyzer = await createAnalyzer();
parentPort?.on("message", ({ text, languageId }: AnalysisTask) => {
  parentPort?.postMessage(analysisOf(analyzer, text, languageById(languageId)));
});
