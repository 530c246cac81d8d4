/**
 * Reads files, analyses them and makes hash embeddings in threads of their own: a megabyte of code takes seconds, and
 * saves and queries must not wait for it.
 */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { SkipReason } from "@dhi/core/chunk";
import { createHashEmbedder } from "@dhi/core/hash-embedder";
import type { Language } from "@dhi/core/languages";
import { fromBlob } from "@dhi/core/vector-blob";
import { type Analysis, analysisOf } from "./analysis.ts";
import { type Analyzer, createAnalyzer } from "./chunker/analyze.ts";
import { type FileContent, type FileToRead, readContent } from "./read-content.ts";

export interface AnalysisThreads {
  /** How many texts are worked on at a time. */
  readonly size: number;
  /**
   * As `readContent` does. A file that ends its thread becomes windows of lines.
   *
   * @throws when closed meanwhile
   */
  read(file: FileToRead): Promise<FileContent | SkipReason>;
  /**
   * Never fails because of the text: one that ends its thread becomes windows of lines.
   *
   * @throws when closed meanwhile
   */
  analyze(text: string, language: Language): Promise<Analysis>;
  /**
   * As the hash embedder does.
   *
   * @throws when closed meanwhile
   */
  embed(texts: readonly string[]): Promise<number[][]>;
  close(): Promise<void>;
}

export type ThreadTask =
  | { readonly file: FileToRead }
  | { readonly text: string; readonly languageId: string }
  | { readonly texts: readonly string[] };

/** What the task asked for. */
export interface ThreadAnswer {
  readonly content?: FileContent | SkipReason;
  readonly analysis?: Analysis;
  /** See vector-blob.ts. */
  readonly vectors?: readonly Uint8Array[];
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
    read: async (file) => readContent(file, analyzer),
    analyze: async (text, language) => analysisOf(analyzer, text, language),
    embed: embedHere,
    async close() {},
  };
}

const embedHere = (texts: readonly string[]): Promise<number[][]> =>
  createHashEmbedder().embedDocuments(texts, new AbortController().signal);

interface Job {
  readonly task: ThreadTask;
  /** Without an answer, the task ended its thread: it would end the next one too. */
  readonly finish: (answer?: ThreadAnswer) => void;
  readonly refuse: () => void;
}

function threadsOf(file: string, size: number): AnalysisThreads {
  const waiting: Job[] = [];
  const threads = new Map<Worker, Job | undefined>();
  let closed = false;

  function start(): void {
    // Not the flags of this process: a test runner's would have the built file import sources.
    const worker = new Worker(file, { execArgv: [] });
    threads.set(worker, undefined);
    worker.on("message", (answer: ThreadAnswer) => {
      threads.get(worker)?.finish(answer);
      threads.set(worker, undefined);
      next(worker);
    });
    // `exit` follows, and says what becomes of the job.
    worker.on("error", () => {});
    worker.on("exit", () => {
      const job = threads.get(worker);
      threads.delete(worker);
      if (closed) job?.refuse();
      else job?.finish();
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
    worker.postMessage(job.task);
  }

  function enqueue(job: Job): void {
    const idle = [...threads].find(([, current]) => current === undefined)?.[0];
    if (idle) give(idle, job);
    else {
      waiting.push(job);
      if (threads.size < size) start();
    }
  }

  function ask<Answer>(
    task: ThreadTask,
    read: (answer: ThreadAnswer) => Answer | undefined,
    instead: () => Promise<Answer>,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const refuse = () => reject(new Error("closed"));
      if (closed) return refuse();
      enqueue({
        ...{ task, refuse },
        finish(answer) {
          const found = answer && read(answer);
          if (found === undefined) instead().then(resolve, reject);
          else resolve(found);
        },
      });
    });
  }

  return {
    size,
    read: (file) =>
      ask(
        { file },
        ({ content }) => content,
        async () => readContent(file, await lineAnalyzer()),
      ),
    analyze: (text, language) =>
      ask(
        { text, languageId: language.id },
        ({ analysis }) => analysis,
        () => asLines(text, language),
      ),
    embed: (texts) =>
      ask(
        { texts },
        ({ vectors }) => vectors?.map(fromBlob),
        () => embedHere(texts),
      ),
    async close() {
      closed = true;
      for (const job of waiting.splice(0)) job.refuse();
      await Promise.all([...threads.keys()].map((worker) => worker.terminate()));
    },
  };
}

async function asLines(text: string, language: Language): Promise<Analysis> {
  return analysisOf(await lineAnalyzer(), text, language);
}

/** Without a grammar. */
async function lineAnalyzer(): Promise<Analyzer> {
  const analyzer = await createAnalyzer();
  return { analyze: (text, { id }) => analyzer.analyze(text, { id }) };
}
