import type { Check } from "@dhi/core/config-protocol";
import { expect, test } from "vitest";
import { doctorPage } from "./doctor-page.ts";

const check = (status: Check["status"], more: Partial<Check> = {}): Check => ({
  ...{ id: "x", title: "Chroma", status, detail: "answers" },
  ...more,
});

test("a check is a line, and what to do stands below it", () => {
  const here = {
    title: "This editor",
    checks: [check("ok"), check("warn", { title: "Versions", detail: "a\nb" })],
  };
  const server = { title: "The server", checks: [check("fail", { fix: "docker compose up -d\n# again" })] };
  const { text, links } = doctorPage([here, server]);
  expect(text).toMatchInlineSnapshot(`
    "# Dhi: Doctor

    1 of 3 checks failed. What to do stands below each.

    ## This editor

    ✓ Chroma: answers
    ! Versions: a b

    ## The server

    ✗ Chroma: answers
          docker compose up -d
          # again

    Check again   Settings   Output
    "
  `);
  expect(links.map(({ start, end, target }) => [text.slice(start, end), target])).toEqual([
    ["Check again", { command: "dhi.doctor" }],
    ["Settings", { command: "workbench.action.openSettings", arguments: ["dhi."] }],
    ["Output", { command: "dhi.showOutput" }],
  ]);
});

test.each([
  [[check("ok"), check("ok")], "All 2 checks passed."],
  [[check("ok"), check("warn")], "It works. 1 of 2 checks have a remark."],
])("the verdict stands at the top", (checks, verdict) => {
  expect(doctorPage([{ title: "t", checks }]).text).toContain(`# Dhi: Doctor\n\n${verdict}\n`);
});
