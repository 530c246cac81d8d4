import type { CallersResponse } from "@dhi/core/graph-protocol";
import { expect, test } from "vitest";
import { callGraph, type LookedAt } from "./call-graph.ts";
import { layOut } from "./lay-out.ts";

const edge = { line: 1, kind: "call", confidence: "exact" } as const;
const caller = (path: string, enclosing: string | null) => ({ path, enclosing, ...edge });
const callee = (path: string, name: string, container: string | null = null) => ({
  ...{ path, name, container, startLine: 1, ...edge },
});
const lookedAt = (
  name: string,
  callers: CallersResponse["callers"],
  callees: CallersResponse["callees"],
): LookedAt => ({ of: { path: "a.py", name }, answer: { callers, callees } });

const names = (graph: ReturnType<typeof callGraph>) => {
  const of = new Map(graph.nodes.map(({ key, name }) => [key, name ?? "top level"]));
  return graph.edges.map(({ from, to }) => `${of.get(from)} → ${of.get(to)}`);
};

test("who uses a definition twice is one node, and so is the top level of a file", () => {
  const graph = callGraph([
    lookedAt(
      "total",
      [caller("c.py", null), caller("b.py", "order"), caller("b.py", "order"), caller("a.py", "total")],
      [callee("a.py", "quantize", "Decimal")],
    ),
  ]);
  expect(names(graph)).toEqual(["order → total", "top level → total", "total → Decimal.quantize"]);
  expect(graph.nodes.filter(({ isLookedAt }) => isLookedAt).map(({ name }) => name)).toEqual(["total"]);
});

test("what is looked at next joins the graph where it stands in it", () => {
  const graph = callGraph([
    lookedAt("total", [caller("a.py", "order")], []),
    lookedAt("order", [caller("a.py", "main")], [callee("a.py", "total")]),
  ]);
  expect(names(graph)).toEqual(["order → total", "main → order"]);
  expect(graph.nodes).toHaveLength(3);
});

test("neighbours that find no room are counted", () => {
  const many = Array.from({ length: 14 }, (_, i) => caller("b.py", `user_${i}`));
  const graph = callGraph([lookedAt("total", many, [])]);
  expect([graph.edges.length, graph.left]).toEqual([10, 4]);
});

test("a graph is laid out from who uses to what is used, and nothing overlaps", () => {
  const graph = callGraph([
    lookedAt("total", [caller("b.py", "order"), caller("c.py", "gift")], [callee("d.py", "round")]),
  ]);
  const { nodes, edges, width, height } = layOut(graph);
  const at = Object.fromEntries(nodes.map(({ name, x, y }) => [name, [x, y]]));
  expect(at.order?.[0]).toBe(at.gift?.[0]);
  expect(at.order?.[1]).not.toBe(at.gift?.[1]);
  expect(at.total?.[0]).toBeGreaterThan(at.order?.[0] ?? 0);
  expect(at.round?.[0]).toBeGreaterThan(at.total?.[0] ?? 0);
  expect(edges).toHaveLength(3);
  for (const { x, y } of nodes) expect([x >= 0 && x < width, y >= 0 && y < height]).toEqual([true, true]);
});
