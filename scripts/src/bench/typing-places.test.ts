import { tempRepo } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { createRandom } from "./random.ts";
import { typingPlaces } from "./typing-places.ts";

test("types the start of a line of code, a letter at a time, with the rest of the file around it", () => {
  const head = "import a;\n".repeat(10);
  using repo = tempRepo({
    "a.ts": `${head}  const total = 1;\n}\n`,
    "notes.md": "no code\n",
    "short.ts": "x\n",
  });
  repo.commit();
  const places = typingPlaces(repo.dir, 5, createRandom(1));
  expect(places).toHaveLength(1);
  expect(places[0]?.map(({ prefix }) => prefix.slice(head.length))).toEqual(
    ["", "c", "co", "con", "cons", "const", "const ", "const t"].map((typed) => `  ${typed}`),
  );
  expect(new Set(places[0]?.map(({ path, suffix, sessionId }) => `${path} ${suffix} ${sessionId}`))).toEqual(
    new Set(["a.ts \n}\n bench"]),
  );
});
