import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { seedIndex } from "../../testing/seed-index.ts";
import { retrievalQuery } from "../query.ts";
import { lexicalLeg } from "./lexical.ts";

test("ranks by BM25: rare names and many of them first, whatever was indexed first", async () => {
  using home = tempDir();
  const db = seedIndex(home.dir, [
    { path: "common-1.ts", text: "request(a);" },
    { path: "common-2.ts", text: "request(b);" },
    { path: "common-3.ts", text: "request(c); other(d); further(e); last(f);" },
    { path: "rare.ts", text: "request(formatCents(total)); formatCents(1);" },
    { path: "none.ts", text: "unrelated();" },
  ]);
  const query = retrievalQuery({ path: "open.ts", prefix: "request(formatCents(", suffix: "" });
  const found = await lexicalLeg(db, query, new AbortController().signal);
  db.close();
  expect(found.map(({ path }) => path)).toEqual(["rare.ts", "common-1.ts", "common-2.ts", "common-3.ts"]);
});
