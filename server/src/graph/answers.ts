/** `GET /v1/symbols` and `GET /v1/callers`. */

import type {
  CallersRequest,
  CallersResponse,
  SymbolsRequest,
  SymbolsResponse,
} from "@dhi/core/graph-protocol";
import { HttpError } from "@dhi/core/http-error";
import type { Workspaces } from "../workspaces.ts";
import { definitionsIn, searchCallees, searchCallers } from "./call-graph.ts";
import { inTurns, type Search } from "./search-steps.ts";
import { type Located, qualified, treeOf } from "./tree.ts";
import { definitionsNamed } from "./tree-rows.ts";

type WhereAsked = Pick<Workspaces, "placeOf" | "fileOf">;

/** One answer may look further than a completion can wait for. */
const MAX_ROWS = 5_000;
const MAX_SYMBOLS = 1_000;
const BUDGET_MS = 1_000;

/**
 * @returns exported ones first; none while there is no index
 * @throws {HttpError} for a workspace that is not served, or that must be named
 */
export function symbolsAnswer(asked: SymbolsRequest, workspaces: WhereAsked): SymbolsResponse {
  const db = workspaces.placeOf({ workspace: asked.workspace }).workspace.index.get();
  const named = db ? definitionsNamed(db, asked.name, MAX_SYMBOLS) : [];
  named.sort((a, b) => Number(b.exported) - Number(a.exported) || order(a, b));
  return { symbols: named.slice(0, asked.limit).map(symbolAnswer) };
}

/** @throws {HttpError} as above; 404 for a file that is not in the index, and for a name that it does not define */
export async function callersAnswer(asked: CallersRequest, workspaces: WhereAsked): Promise<CallersResponse> {
  const { workspace, path } = workspaces.fileOf(asked);
  const db = workspace.index.get();
  if (!db || !treeOf(db).has(path))
    throw new HttpError(
      404,
      "not_indexed",
      `path: "${path}" is not in the index`,
      "GET /v1/explain?path= says why.",
    );
  const definitions = definitionsIn(db, { path, name: asked.name });
  const [first] = definitions;
  if (!first)
    throw new HttpError(
      404,
      "no_such_symbol",
      `name: "${path}" does not define "${asked.name}"`,
      "GET /v1/symbols?name= says where it is defined.",
    );
  const { name, limit } = asked;
  // While others have their turn, another index may take this one's place.
  const isOpen = () => db.open;
  const found = <T>(search: Search<T[]>) => (isOpen() ? inTurns(search, BUDGET_MS, isOpen) : []);
  const callers = await found(searchCallers(db, { path, name, limit, maxRows: MAX_ROWS }));
  const callees = await found(searchCallees(db, { path, enclosing: qualified(first), limit }));
  return {
    definitions: definitions.map(symbolAnswer),
    callers,
    callees: callees.map(({ definition, line, kind, confidence }) => ({
      ...{ path: definition.path, name: definition.name, container: definition.container },
      ...{ startLine: definition.startLine, line, kind, confidence },
    })),
  };
}

function order(a: Located, b: Located): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : a.startLine - b.startLine;
}

function symbolAnswer(symbol: Located): SymbolsResponse["symbols"][number] {
  const { name, kind, signature, container, path, startLine, endLine, exported } = symbol;
  return { name, kind, signature, container, path, startLine, endLine, exported };
}
