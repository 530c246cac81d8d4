/** `docs/bench/retrieval.md`. */
import type { Report } from "./report.ts";

export const retrievalReport: Report = {
  name: "retrieval",
  head: `# Retrieval, measured

Made by \`npm run bench:retrieval\` (\`-- --help\` lists its flags); do not edit. One run on one machine, which is not yours. The
repositories are generated from real packages in six languages (\`scripts/src/source-packages.ts\`), the embedder is \`hash\`;
indexer, server and Chroma are processes of their own and share the cores with the bench. Times are the server's own, from
\`timings\` of \`POST /v1/prompt\`: retrieval is all legs, their fusion and what waits between them.
Warm is all but the first keystroke at a place that the server had not heard of: at every other place the cursor rests first,
as after a click, and the server is told (\`POST /v1/warm\`), as the extension does.
`,
  titles: { idle: "Nothing else to do", indexing: "While changed files are indexed" },
};
