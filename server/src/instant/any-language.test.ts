import { atCursor } from "@dhi/core/testing/at-cursor";
import { describe, expect, test } from "vitest";
import { Corpus } from "./corpus.ts";
import { OpenFileReader } from "./open-file.ts";
import { predictLine } from "./predict-line.ts";

function predict(path: string, above: string, source: string): string {
  const corpus = new Corpus({ headBits: 10 });
  const { prefix, suffix } = atCursor(above + source);
  const open = new OpenFileReader(corpus.vocabulary).read(prefix, suffix);
  return predictLine({ corpus, open, path }, { threshold: 0.3, maxTokens: 50 }).text;
}

const times = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join("");

describe("any text has its lines continued", () => {
  test.each([
    ["README.md", times(8, (i) => `- [x] chapter ${i} is done\n`), "- [x] chapter 7 is█", " done"],
    [
      "ci.yml",
      times(8, (i) => `      - name: step ${i}\n        shell: bash\n`),
      "      - name: step 7\n        shell:█",
      " bash",
    ],
    [
      "schema.sql",
      times(8, (i) => `ALTER TABLE t${i} ADD COLUMN note text NOT NULL;\n`),
      "ALTER TABLE t7 ADD COLUMN█",
      " note text NOT NULL;",
    ],
    ["Dockerfile", times(8, (i) => `RUN apk add --no-cache package${i}\n`), "RUN apk add --█", "no-cache"],
    ["list.c", times(8, (i) => `  free(list->item${i});\n`), "  free(list█", "->"],
    [
      "shop.rb",
      times(8, (i) => `  attr_reader :name${i}, default: nil\n`),
      "  attr_reader :name7,█",
      " default: nil",
    ],
    ["Shop.kt", times(8, (i) => `    val part${i}: String? = null\n`), "    val part7:█", " String? = null"],
  ])("%s", (path, above, source, expected) => {
    expect(predict(path, above, source)).toContain(expected);
  });
});

test("a key is no suggestion, and what stands around it is", () => {
  const key = ["AKIA", "IOSFODNN7EXAMPLE"].join("");
  const above = times(6, () => `client.connect(region, "${key}");\n`);
  expect(predict("a.ts", above, "client.connect(█")).toBe('region, "');
  expect(predict("a.ts", above, `client.connect(region, "${key.slice(0, 6)}█`)).toBe("");
});
