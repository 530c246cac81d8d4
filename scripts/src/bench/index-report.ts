/** `docs/bench/index.md`. */
import type { Report } from "./report.ts";

export const indexReport: Report = {
  name: "index",
  head: `# The index, measured

Made by \`npm run bench:index\` and \`npm run crash-loop\` (\`-- --help\` lists their flags); do not edit. One run on one machine, which is not yours: the
ratios say more than the milliseconds. The repositories are generated from real packages in six languages
(\`scripts/src/source-packages.ts\`), the embedder is \`hash\`, indexer, server and Chroma are processes of their own.
`,
  titles: {
    full: "The first index",
    save: "From a save to every leg of a search",
    switch: "Switching between branches",
    scale: "At scale",
    churn: "After editing everything again and again",
    crash: "Killed at any moment",
  },
};
