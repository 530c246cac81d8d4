/**
 * Function bodies judged by the package's own tests: the completion stands in for the body, in a copy, and the tests run.
 * What a model wrote is executed by that, with the rights of whoever runs the evaluation; so it is done on request only.
 */
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pickSome, type Random } from "../bench/random.ts";
import { type PackageSpec, type SourcePackage, sourcePackages } from "../source-packages.ts";
import type { Retrieval } from "./completion-measure.ts";
import type { CorpusFile } from "./corpus.ts";
import { bodyOf, type Cursor } from "./cursors.ts";
import type { Facts } from "./facts.ts";

export interface TestedBodies {
  readonly package: string;
  /** Bodies without which a test fails. */
  readonly bodies: number;
  /** How many of the completions made all tests pass. */
  readonly passed: Readonly<Partial<Record<Retrieval, number>>>;
}

/** 970 tests in a second, which need nothing but Python. */
const PACKAGE: PackageSpec = { client: "pip", name: "Markdown", version: "3.7", sources: "." };
const TEST_COMMAND = [
  "python3",
  "-m",
  "unittest",
  "discover",
  "--quiet",
  "--failfast",
  "-s",
  "tests",
] as const;
export const TESTED_SOURCES = { name: PACKAGE.name, only: /^markdown\// };

const TIMEOUT_MS = 60_000;
const MOST_BODY_LINES = 10;

/** A copy of the package whose files can be replaced. */
export interface TestBench extends Disposable {
  readonly source: SourcePackage;
  /** Whether all tests pass with this text instead of the file's. */
  passesWith(path: string, text: string): Promise<boolean>;
}

/** @returns undefined, having said why, when the package cannot be had or its tests do not run here */
export async function openTestBench(say: (line: string) => void): Promise<TestBench | undefined> {
  const [source] = await sourcePackages(say, [PACKAGE]);
  return source && testBenchOf(source, TEST_COMMAND, say);
}

/** @returns undefined, having said so, when the tests do not pass on the package as it is */
export async function testBenchOf(
  source: SourcePackage,
  command: readonly [string, ...string[]],
  say: (line: string) => void,
): Promise<TestBench | undefined> {
  const dir = mkdtempSync(join(tmpdir(), "dhi-bodies-"));
  const remove = () => rmSync(dir, { recursive: true, force: true });
  cpSync(source.dir, dir, { recursive: true });
  if (!(await passes(command, dir))) {
    remove();
    say(`left out: the tests of ${source.name} do not pass here even as they are`);
    return undefined;
  }
  return {
    source,
    async passesWith(path, text) {
      try {
        writeFileSync(join(dir, path), text);
        return await passes(command, dir);
      } finally {
        cpSync(join(source.dir, path), join(dir, path));
      }
    },
    [Symbol.dispose]: remove,
  };
}

/** Where a whole body is to be written. */
export type BodyCursor = Pick<Cursor, "path" | "language" | "prefix" | "suffix">;

/**
 * @yields bodies of one to ten lines in a random order, at most one in a function, each of which some test needs
 */
export async function* neededBodies(
  files: Iterable<CorpusFile>,
  facts: Pick<Facts, "functionsOf">,
  bench: Pick<TestBench, "passesWith">,
  random: Random,
): AsyncGenerator<BodyCursor> {
  const bodies = [...files].flatMap((file) => bodiesOf(file, facts));
  for (const body of pickSome(bodies, bodies.length, random))
    if (!(await bench.passesWith(body.path, `${body.prefix}raise NotImplementedError${body.suffix}`)))
      yield body;
}

function bodiesOf(file: CorpusFile, facts: Pick<Facts, "functionsOf">): BodyCursor[] {
  const { lines, path, language } = file;
  return facts.functionsOf(path).flatMap((site) => {
    const body = bodyOf(file, site);
    if (!body || body.last - body.first >= MOST_BODY_LINES) return [];
    const indent = /^\s*/.exec(lines[body.first - 1] ?? "")?.[0] ?? "";
    const prefix = [...lines.slice(0, body.first - 1), indent].join("\n");
    const after = lines.slice(body.last);
    return [{ path, language, prefix, suffix: after.length ? `\n${after.join("\n")}` : "" }];
  });
}

/** @returns false, too, for what does not end within a minute */
function passes([command, ...args]: readonly [string, ...string[]], cwd: string): Promise<boolean> {
  const options = {
    cwd,
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
    maxBuffer: 64 * 1024 * 1024,
    // Nothing of the environment: there may be secrets in it.
    env: { PATH: process.env.PATH, HOME: cwd, PYTHONDONTWRITEBYTECODE: "1" },
  } as const;
  return new Promise((done) => execFile(command, args, options, (error) => done(error === null)));
}
