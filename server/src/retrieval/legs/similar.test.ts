import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { type SeedChunk, seedIndex } from "../../testing/seed-index.ts";
import type { Found } from "../leg.ts";
import { retrievalQuery } from "../query.ts";
import { similarLeg } from "./similar.ts";

interface Asked {
  readonly prefix: string;
  readonly chunks: readonly SeedChunk[];
  readonly openFiles?: string[];
  readonly path?: string;
}

async function find({ prefix, chunks, openFiles = [], path = "src/open.ts" }: Asked): Promise<Found[]> {
  using home = tempDir();
  const db = seedIndex(home.dir, chunks);
  const query = retrievalQuery({ path, prefix, suffix: "", openFiles });
  const found = await similarLeg(db, query, new AbortController().signal);
  db.close();
  return found;
}
const paths = (found: readonly Found[]) => found.map(({ path }) => path);
const filler = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `filler_${from + i};`);

test("shows the end of what is alike, and what follows it", async () => {
  const text = [...filler(0, 40), "parcel = pack(cart);", "send(parcel, courier);", ...filler(42, 80)].join(
    "\n",
  );
  const [found] = await find({
    prefix: "parcel = pack(cart);\nsend(parcel, ",
    openFiles: ["lib/other.ts"],
    chunks: [{ path: "lib/other.ts", text }],
  });
  expect(found?.text.split("\n")).toEqual(
    text.split("\n").slice((found?.startLine ?? 0) - 1, found?.endLine),
  );
  expect(found?.text).toContain("send(parcel, courier);\nfiller_42;\nfiller_43;\nfiller_44;");
});

test("the window that shares more comes first, one in which the rest is different later", async () => {
  const found = await find({
    prefix: "pack(cart);\nsend(parcel)",
    openFiles: ["some.ts", "all.ts", "long.ts"],
    chunks: [
      { path: "some.ts", text: "pack(box);" },
      { path: "long.ts", text: `pack(cart);send(parcel);${filler(0, 15).join("\n")}` },
      { path: "all.ts", text: "pack(cart); send(parcel);" },
    ],
  });
  expect(paths(found)).toEqual(["all.ts", "long.ts", "some.ts"]);
});

test("windows of one file do not overlap, and are three at most", async () => {
  const text = Array.from({ length: 6 }, () => ["send(parcel);", ...filler(0, 29)].join("\n")).join("\n");
  const found = await find({ prefix: "send(parcel", openFiles: ["a.ts"], chunks: [{ path: "a.ts", text }] });
  const lines = found.map(({ startLine, endLine }) => [startLine, endLine]).sort(([a = 0], [b = 0]) => a - b);
  expect(lines).toHaveLength(3);
  expect(lines.every(([start = 0], i) => i === 0 || start > (lines[i - 1]?.[1] ?? 0))).toBe(true);
});

test("files of the same folder and of the same kind stand in for open ones, and the file itself never", async () => {
  const chunks = ["src/open.ts", "src/cart.ts", "src/deep/x.ts", "lib/far.ts"].map((path) => ({
    path,
    text: `send(parcel); // ${path}`,
  }));
  expect(paths(await find({ prefix: "send(parcel", chunks }))).toEqual(["src/cart.ts"]);
  expect(paths(await find({ prefix: "send(parcel", chunks, openFiles: ["lib/far.ts"] })).sort()).toEqual([
    "lib/far.ts",
    "src/cart.ts",
  ]);
});

test("what shares nothing, is gone or is no code is not alike", async () => {
  const chunks = [
    { path: "a.ts", text: "other(words);" },
    { path: "gone.ts", text: "send(parcel); // gone", gone: true },
    { path: "b.json", text: "send parcel", language: "json" },
  ];
  expect(await find({ prefix: "send(parcel", chunks, openFiles: ["a.ts", "gone.ts", "b.json"] })).toEqual([]);
});
