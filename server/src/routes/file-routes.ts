/** The workspace's files, as far as they are in the index. */
import { contentsRequest, fileRequest, filesRequest, skippedRequest } from "@dhi/core/files-protocol";
import { type Router, Router as router } from "express";
import { contentsOf } from "../files/contents.ts";
import { listFiles } from "../files/list-files.ts";
import { readFile } from "../files/read-file.ts";
import { listSkipped } from "../files/skipped.ts";
import type { Workspaces } from "../workspaces.ts";
import { parse } from "./exchange.ts";

export function fileRoutes(workspaces: Workspaces): Router {
  const routes = router();
  routes.get("/v1/files", (request, response) => {
    response.json(listFiles(parse(filesRequest, request.query), workspaces));
  });
  routes.get("/v1/skipped", (request, response) => {
    response.json(listSkipped(parse(skippedRequest, request.query), workspaces));
  });
  routes.get("/v1/contents", (request, response) => {
    response.json(contentsOf(parse(contentsRequest, request.query), workspaces));
  });
  routes.get("/v1/file", (request, response) => {
    response.json(readFile(parse(fileRequest, request.query), workspaces));
  });
  return routes;
}
