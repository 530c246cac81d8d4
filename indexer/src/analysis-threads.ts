/** Analyses texts in threads of their own: a megabyte of code takes seconds, and saves and queries must not wait for it. */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Language } from "@dhi/core/languages";
import { type Analysis, analysisOf } from "./analysis.ts";
import { createAnalyzer } from "./chunker/analyze.ts";

export interface AnalysisThreads {
  /** How many texts are worked on at a time. */
  readonly size: number;
  /**
   * Never fails because of the text: one that ends its thread becomes windows of lines.
   *
   * @throws when closed meanwhile
   */
  analyze(text: string, language: Language): Promise<Analysis>;
  close(): Promise<void>;
}

export interface AnalysisTask {
  readonly text: string;
  readonly languageId: string;
}

export interface AnalysisThreadsOptions {
  /** Default: one for each core, at most 4, since one writer takes what they bring. */
  readonly size?: number;
  /** The built `analysis-thread.js`; where it is missing (Node runs no TypeScript), everything happens in this thread. */
  readonly file?: string;
}

const BUILT = fileURLToPath(new URL("./analysis-thread.js", import.meta.url));
const MOST_THREADS = 4;

/** @throws when a grammar's file is missing */
export async function startAnalysisThreads({
  size = Math.min(MOST_THREADS, availableParallelism()),
  file = BUILT,
}: AnalysisThreadsOptions = {}): Promise<AnalysisThreads> {
  return existsSync(file) ? threadsOf(file, size) : inThisThread();
}

async function inThisThread(): Promise<AnalysisThreads> {
  const analyzer = await createAnalyzer();
  return {
    size: 1,
    analyze: async (text, language) => analysisOf(analyzer, text, language),
    async close() {},
  };
}

interface Job {
  readonly text: string;
  readonly language: Language;
  readonly resolve: (analysis: Analysis) => void;
  readonly reject: (error: Error) => void;
}

function threadsOf(file: string, size: number): AnalysisThreads {
  const waiting: Job[] = [];
  const threads = new Map<Worker, Job | undefined>();
  let closed = false;

  function start(): void {
    // Not the flags of this process: a test runner's would have the built file import sources.
    const worker = new Worker(file, { execArgv: [] });
    threads.set(worker, undefined);
    worker.on("message", (analysis: Analysis) => {
      threads.get(worker)?.resolve(analysis);
      threads.set(worker, undefined);
      next(worker);
    });
    // `exit` follows, and says what becomes of the job.
    worker.on("error", () => {});
    worker.on("exit", () => {
      const job = threads.get(worker);
      threads.delete(worker);
      if (job) asLines(job);
      if (waiting.length && !closed) start();
    });
    next(worker);
  }

  function next(worker: Worker): void {
    const job = waiting.shift();
    if (job) give(worker, job);
  }

  function give(worker: Worker, job: Job): void {
    threads.set(worker, job);
    const task: AnalysisTask = { text: job.text, languageId: job.language.id };
    worker.postMessage(task);
  }

  function enqueue(job: Job): void {
    const idle = [...threads].find(([, current]) => current === undefined)?.[0];
    if (idle) give(idle, job);
    else {
      waiting.push(job);
      if (threads.size < size) start();
    }
  }

  return {
    size,
    analyze: (text, language) =>
      new Promise((resolve, reject) => {
        if (closed) reject(new Error("closed"));
        else enqueue({ text, language, resolve, reject });
      }),
    async close() {
      closed = true;
      for (const { reject } of waiting.splice(0)) reject(new Error("closed"));
      await Promise.all([...threads.keys()].map((worker) => worker.terminate()));
    },
  };

  /** A text that ended its thread would end the next one too. */
  function asLines({ text, language, resolve, reject }: Job): void {
    const { id } = language;
    if (closed) reject(new Error("closed"));
    else createAnalyzer().then((analyzer) => resolve(analysisOf(analyzer, text, { id })), reject);
  }
}
