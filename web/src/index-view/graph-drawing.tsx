/** The call graph as a picture whose nodes are buttons: each leads on to its own callers. */
import { useMemo } from "preact/hooks";
import { Wide } from "../parts/wide.tsx";
import { many } from "../words/format.ts";
import { callGraph, keyOf, type LookedAt, type Place } from "./call-graph.ts";
import { layOut, NODE } from "./lay-out.ts";

export interface GraphDrawingProps {
  readonly lookedAt: readonly LookedAt[];
  /** The one whose callers are listed below. */
  readonly current: Place;
  readonly onChoose: (place: Place) => void;
}

export function GraphDrawing({ lookedAt, current, onChoose }: GraphDrawingProps) {
  const graph = useMemo(() => callGraph(lookedAt), [lookedAt]);
  const { width, height, nodes, edges } = useMemo(() => layOut(graph), [graph]);
  return (
    <>
      <Wide label="Call graph">
        <div class="drawing" style={{ width: `${width}px`, height: `${height}px` }}>
          <svg width={width} height={height} aria-hidden="true">
            {edges.map((path) => (
              <path key={path} d={path} />
            ))}
          </svg>
          {nodes.map(({ key, path, name, x, y, isLookedAt }) => (
            <button
              key={key}
              type="button"
              class={isLookedAt ? "node looked-at" : "node"}
              style={{ left: `${x}px`, top: `${y}px`, width: `${NODE.width}px`, height: `${NODE.height}px` }}
              title={`${name ?? "top level"}, ${path}`}
              aria-current={key === keyOf(current)}
              // The top level of a file is no definition.
              disabled={name === undefined}
              onClick={() => onChoose({ path, name })}
            >
              <b>{name ?? "top level"}</b>
              <span>{path}</span>
            </button>
          ))}
        </div>
      </Wide>
      {graph.left ? (
        <p class="hint">{many(graph.left, "neighbour")} more than can be drawn; below are all of them.</p>
      ) : null}
    </>
  );
}
