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
  return {
    ...{ width, height },
    nodes: nodes.map((node) => {
      const { x, y } = graph.node(node.key);
      return { ...node, x: x - NODE.width / 2, y: y - NODE.height / 2 };
    }),
    edges: graph.edges().map((edge) => curve(graph.edge(edge).points)),
  };
}

/** Through the middles between the points, so that no corner shows. */
function curve(points: readonly { readonly x: number; readonly y: number }[]): string {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (!first || !last) return "";
  const bends = rest.slice(0, -1).map(({ x, y }, i) => {
    const next = rest[i + 1] ?? last;
    return `Q${x},${y} ${(x + next.x) / 2},${(y + next.y) / 2}`;
  });
  return [`M${first.x},${first.y}`, ...bends, `L${last.x},${last.y}`].join("");
}
