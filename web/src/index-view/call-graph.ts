/** Definitions that were looked at, with who uses them and what they use, as one graph. */
import type { CallersResponse } from "@dhi/core/graph-protocol";

export interface Place {
  readonly path: string;
  /** `undefined`: the top level of the file. */
  readonly name: string | undefined;
}

export interface LookedAt {
  readonly of: Place;
  readonly answer: Pick<CallersResponse, "callers" | "callees">;
}

export interface GraphNode extends Place {
  readonly key: string;
  /** Its neighbours are in the graph. */
  readonly isLookedAt: boolean;
}

export interface CallGraph {
  readonly nodes: readonly GraphNode[];
  /** Keys; from who uses to what is used. */
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  /** Neighbours that found no room. */
  readonly left: number;
}

/** On each side of a definition: more would be lines nobody can follow. The surest come first. */
const MOST_NEIGHBOURS = 10;

export const keyOf = ({ path, name }: Place): string => JSON.stringify([path, name]);

export function callGraph(lookedAt: readonly LookedAt[]): CallGraph {
  const nodes = new Map<string, GraphNode>();
  const edges = new Map<string, { from: string; to: string }>();
  let left = 0;
  const add = (place: Place, isLookedAt = false) => {
    const key = keyOf(place);
    if (isLookedAt || !nodes.has(key)) nodes.set(key, { ...place, key, isLookedAt });
    return key;
  };
  const centres = lookedAt.map(({ of }) => add(of, true));
  for (const [i, { answer }] of lookedAt.entries()) {
    const centre = centres[i] ?? "";
    const users = unique(
      answer.callers.map(({ path, enclosing }) => ({ path, name: enclosing ?? undefined })),
    );
    const used = unique(
      answer.callees.map(({ path, name, container }) => ({
        path,
        name: container ? `${container}.${name}` : name,
      })),
    );
    for (const [neighbours, edge] of [
      [users, (key: string) => ({ from: key, to: centre })],
      [used, (key: string) => ({ from: centre, to: key })],
    ] as const) {
      left += Math.max(0, neighbours.length - MOST_NEIGHBOURS);
      for (const place of neighbours.slice(0, MOST_NEIGHBOURS)) {
        const one = edge(add(place));
        // Who calls itself needs no line to know it.
        if (one.from !== one.to) edges.set(`${one.from} ${one.to}`, one);
      }
    }
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()], left };
}

/** Definitions before the top level of files, which leads nowhere. */
function unique(places: readonly Place[]): Place[] {
  const each = [...new Map(places.map((place) => [keyOf(place), place])).values()];
  return [...each.filter(({ name }) => name !== undefined), ...each.filter(({ name }) => name === undefined)];
}
