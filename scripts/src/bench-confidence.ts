/** `npm run bench:confidence`: how sure a model is of lines that it gets right, and of those that it does not. */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createLlamaServerEngine } from "@dhi/server/engines/llama-server";
import { completeLine, confidenceSection, lineCursors, type Sure } from "./bench/confidence.ts";
import { createRandom } from "./bench/random.ts";
import { recordSections, type SectionsReport, sectionText } from "./bench/sections.ts";
import { readSourceFiles } from "./source-files.ts";

const usage = `npm run bench:confidence -- --llama-server URL --model NAME --workspace DIR [--workspace DIR …] [--count N] [--minutes N] [--report]

  --llama-server URL  one that runs, with a model of real weights: those of random ones are sure of nothing
  --model NAME        as the table calls it
  --workspace DIR     code that it has to complete
  --count N           lines (default 300)
  --minutes N         then what is measured is reported (default 30)
  --seed N            which ones (default 1)
  --report            writes docs/bench/confidence.md and .json`;

const root = fileURLToPath(new URL("../..", import.meta.url));
const TIMEOUT_MS = 120_000;

const reportFor = (model: string): SectionsReport => ({
  name: "confidence",
  titles: { [model]: model },
  head: `# How sure a model is

Lines of real code, each completed from the text left of a cursor in it, measured with \`npm run bench:confidence\`. *Right* is a line
that is what stood there, but for white space at its ends. \`MIN_MEAN_LOGPROB\` in \`server/src/postprocess/drop-unsure.ts\` is the least mean
natural log-probability that is shown unasked; \`minMeanLogprob\` of a model's entry in \`models.json\` takes its place.
`,
});

/** @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...{ "llama-server": text, model: text, count: text, minutes: text, seed: text },
      workspace: { type: "string", multiple: true },
      ...{ report: { type: "boolean" }, help: { type: "boolean" } },
    },
  });
  const { "llama-server": host, model, workspace: workspaces } = values;
  if (values.help || !host || !model || !workspaces) {
    console.log(usage);
    return values.help ? 0 : 2;
  }
  const files = (await Promise.all(workspaces.map(readSourceFiles))).flat();
  const cursors = lineCursors(files, Number(values.count ?? 300), createRandom(Number(values.seed ?? 1)));
  const engine = createLlamaServerEngine({ host, model });
  const ends = performance.now() + Number(values.minutes ?? 30) * 60_000;
  const lines: Sure[] = [];
  for (const cursor of cursors) {
    if (performance.now() > ends) break;
    const line = await completeLine(engine, cursor, AbortSignal.timeout(TIMEOUT_MS));
    if (line) lines.push(line);
  }
  const section = confidenceSection("What a threshold shows and withholds", lines);
  console.log(sectionText(section));
  const command = `npm run bench:confidence -- ${args.join(" ")}`;
  if (values.report) recordSections(root, reportFor(model), model, { command, sections: [section] });
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main(process.argv.slice(2));
