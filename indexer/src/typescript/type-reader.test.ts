import { tempRepo } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import type { LookAnswer } from "./facts.ts";
import { createTypeReader } from "./type-reader.ts";

const settings = JSON.stringify({ compilerOptions: { lib: ["es5"], types: [] } });
const request = { session: "s", epoch: 1, without: [] };
const namesOf = (answer: LookAnswer) =>
  answer.kind === "facts" ? answer.names.map(({ name, type }) => `${name}: ${type}`) : answer.reason;

test("a file of more than 5,000 lines is left out, and one that is not TypeScript's", async () => {
  using repo = tempRepo({
    "tsconfig.json": settings,
    "long.ts": "let a = 1;\n".repeat(5_001),
    "a.css": "a {}",
  });
  const reader = createTypeReader();
  const look = async (path: string) => namesOf(await reader.look({ ...request, root: repo.dir, path }));
  expect(await look("long.ts")).toBe("it has more than 5000 lines");
  expect(await look("a.css")).toBe("TypeScript does not read it");
  reader.close();
});

test("a file that overflows TypeScript's stack takes nothing from those beside it", async () => {
  const brackets = `export const deep = ${"[".repeat(5_000)}${"]".repeat(5_000)};`;
  using repo = tempRepo({
    "tsconfig.json": settings,
    "parsed.ts": brackets,
    "bound.ts": `export const deep = a${".b()".repeat(5_000)};`,
    "a.ts": "import { deep } from './parsed'; let a = 1;",
  });
  const reader = createTypeReader();
  const look = async (change: object) =>
    namesOf(await reader.look({ ...request, root: repo.dir, path: "a.ts", ...change }));
  expect(await look({})).toEqual(["deep: any", "a: number"]);
  expect(await look({ path: "bound.ts" })).toEqual([]);
  expect(await look({ text: brackets })).toEqual([]);
  expect(await look({ text: "let b = 1;" })).toEqual(["b: number"]);
  repo.write("bound.ts", "let c = 1;");
  expect(await look({ path: "bound.ts", epoch: 2 })).toEqual(["c: number"]);
  reader.close();
});

test("a project that is given up is named without being read", async () => {
  using repo = tempRepo({ "tsconfig.json": settings, "a.ts": "let a = 1;" });
  const read: string[] = [];
  const reader = createTypeReader({ onProject: async (project) => void read.push(project) });
  const asked = { ...request, root: repo.dir, path: "a.ts" };
  expect(await reader.look({ ...asked, without: ["tsconfig.json"] })).toMatchObject({
    ...{ kind: "unknown", project: "tsconfig.json", wholeProject: true },
    inputs: expect.arrayContaining(["tsconfig.json", "node_modules"]),
  });
  expect(read).toEqual([]);
  expect(namesOf(await reader.look(asked))).toEqual(["a: number"]);
  expect(read).toEqual(["tsconfig.json"]);
  reader.close();
});

test("a project that fills the heap by its first files is given up, one that does it later is read anew", async () => {
  using repo = tempRepo({ "tsconfig.json": settings, "a.ts": "let a = 1;" });
  let isFull = false;
  const reader = createTypeReader({
    heap: { isNearlyFull: () => isFull, tooSmall: "it needs more than 1 MB" },
  });
  const look = () => reader.look({ ...request, root: repo.dir, path: "a.ts" });
  for (let i = 0; i < 25; i++) await look();
  isFull = true;
  expect(namesOf(await look())).toEqual(["a: number"]);
  expect(await look()).toMatchObject({ reason: "it needs more than 1 MB", wholeProject: true });
  reader.close();
});

test("types are told once while nothing changes, and everything again to another session", async () => {
  using repo = tempRepo({
    "tsconfig.json": settings,
    "a.ts": "export class A { b = 'c' }",
    "d.ts": "import { A } from './a'; let d = new A();",
  });
  const reader = createTypeReader();
  const told = async (path: string, change: object = {}) => {
    const answer = await reader.look({ ...request, ...change, root: repo.dir, path });
    return answer.kind === "facts" ? answer.types.map(({ key }) => key).sort() : answer.reason;
  };
  const all = ["a.ts#A", "lib#string", "typeof a.ts#A"];
  expect(await told("a.ts")).toEqual(expect.arrayContaining(all));
  expect(await told("d.ts")).toEqual([]);
  const again = await told("a.ts", { epoch: 2 });
  expect(again).toContain("a.ts#A");
  expect(again).not.toContain("lib#string");
  expect(await told("a.ts", { session: "other" })).toEqual(expect.arrayContaining(all));
  reader.close();
});

test("a file with the settings of none is read with those beside it", async () => {
  using repo = tempRepo({ "lib/a.js": "exports.a = { b: 1 };", "lib/c.js": "const { a } = require('./a');" });
  const reader = createTypeReader();
  const answer = await reader.look({ ...request, root: repo.dir, path: "lib/c.js" });
  expect(answer).toMatchObject({ project: "#lib", imports: ["lib/a.js"] });
  expect(namesOf(answer)).toEqual(["a: { b: number; }"]);
  reader.close();
});
