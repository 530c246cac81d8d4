import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tempRepo } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { recordSections } from "./sections.ts";

const report = { name: "typing", head: "# Typing\n", titles: { mixed: "Mixed", real: "Real servers" } };
const part = (calls: string) => ({
  command: "npm run bench:typing",
  sections: [
    { title: "Calls", head: ["policy", "calls"], rows: [["Dhi", calls]], notes: ["Fewer is better."] },
  ],
});

test("the last run of each part stands there, in the order of the titles", () => {
  using repo = tempRepo({ "a.ts": "" });
  repo.commit();
  recordSections(repo.dir, report, "real", part("7"));
  recordSections(repo.dir, report, "mixed", part("9"));
  recordSections(repo.dir, report, "mixed", part("5"));
  const text = readFileSync(join(repo.dir, "docs", "bench", "typing.md"), "utf8");
  expect(text.replace(/: .* commit \w+, [\d-]+\.$/gm, ": RUN")).toMatchInlineSnapshot(`
    "# Typing

    ## Mixed

    ### Calls

    | policy | calls |
    |--------|------:|
    | Dhi    |     5 |

    Fewer is better.

    \`npm run bench:typing\`: RUN

    ## Real servers

    ### Calls

    | policy | calls |
    |--------|------:|
    | Dhi    |     7 |

    Fewer is better.

    \`npm run bench:typing\`: RUN
    "
  `);
});
