/** What is wrong with the set-up. */
import { type Router, Router as router } from "express";
import { type DoctorDeps, examine } from "../doctor/doctor.ts";
import { signalOf } from "./exchange.ts";

export function doctorRoutes(deps: DoctorDeps): Router {
  const routes = router();
  routes.get("/v1/doctor", async (_request, response) => {
    response.json(await examine(deps, signalOf(response)));
  });
  return routes;
}
