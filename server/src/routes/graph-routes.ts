/** What the index knows of names. */
import { callersRequest, membersRequest, symbolsRequest } from "@dhi/core/graph-protocol";
import { type Router, Router as router } from "express";
import { callersAnswer, symbolsAnswer } from "../graph/answers.ts";
import { membersAnswer } from "../graph/members-answer.ts";
import type { Workspaces } from "../workspaces.ts";
import { parse } from "./exchange.ts";

export function graphRoutes(workspaces: Workspaces): Router {
  const routes = router();
  routes.get("/v1/symbols", (request, response) => {
    response.json(symbolsAnswer(parse(symbolsRequest, request.query), workspaces));
  });
  routes.get("/v1/members", (request, response) => {
    response.json(membersAnswer(parse(membersRequest, request.query), workspaces));
  });
  routes.get("/v1/callers", async (request, response) => {
    response.json(await callersAnswer(parse(callersRequest, request.query), workspaces));
  });
  return routes;
}
