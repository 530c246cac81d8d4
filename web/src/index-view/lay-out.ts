/** Places a call graph: who uses on the left, what is used on the right, with as few crossings as can be had. */
import { Graph, layout } from "@dagrejs/dagre";
import type { CallGraph, GraphNode } from "./call-graph.ts";

/** Of every node, in pixels, as the style sheet has them. */
export const NODE = { width: 188, height: 40 };

export interface LaidOut {
  readonly width: number;
  readonly height: number;
  /** Of the top left corner. */
  readonly nodes: readonly (GraphNode & { readonly x: number; readonly y: number })[];
  /** Paths, as SVG has them. */
  readonly edges: readonly string[];
}

export function layOut({ nodes, edges }: Pick<CallGraph, "nodes" | "edges">): LaidOut {
  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 10, ranksep: 56, marginx: 4, marginy: 4 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { key } of nodes) graph.setNode(key, { ...NODE });
  for (const { from, to } of edges) graph.setEdge(from, to);
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  const at = new Map(
    nodes.map(({ key }) => {
      const { x, y } = graph.node(key);
      return [key, { x: x - NODE.width / 2, y: y - NODE.height / 2 }];
    }),
  );
  const placeOf = (key: string) => at.get(key) ?? { x: 0, y: 0 };
  return {
    ...{ width, height },
    nodes: nodes.map((node) => ({ ...node, ...placeOf(node.key) })),
    edges: edges.map(({ from, to }) => curve(placeOf(from), placeOf(to))),
  };
}

interface Corner {
  readonly x: number;
  readonly y: number;
}

/** From the middle of one's right side to the middle of the other's left side. */
function curve(from: Corner, to: Corner): string {
  const start = { x: from.x + NODE.width, y: from.y + NODE.height / 2 };
  const end = { x: to.x, y: to.y + NODE.height / 2 };
  const middle = (start.x + end.x) / 2;
  return `M${start.x},${start.y}C${middle},${start.y} ${middle},${end.y} ${end.x},${end.y}`;
}
