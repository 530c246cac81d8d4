/** "Dhi: Doctor": what this side sees, then what the server says of itself, on one page. */
import type { DoctorResponse } from "@dhi/core/config-protocol";
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import { isOnBattery } from "../control/battery.ts";
import { serverOf, settings } from "../editor-settings.ts";
import { t } from "../l10n.ts";
import type { ServedPlaces } from "../served-places.ts";
import { callForJson, callForStatus, type Server, ServerRefused, ServerUnreachable } from "../server.ts";
import { clientChecks, type Reached } from "../views/doctor-checks.ts";
import { doctorPage, type Section } from "../views/doctor-page.ts";
import type { VirtualPages } from "../views/virtual-pages.ts";
import { inlineSuggestIsOn } from "./why-no-suggestion.ts";

export interface DoctorDeps {
  readonly places: ServedPlaces;
  readonly pages: VirtualPages;
  readonly isSnoozed: () => boolean;
  readonly extensionVersion: string;
}

const STATUS_MS = 5_000;
/** The server tries its parts, a model among them. */
const DOCTOR_MS = 30_000;

export async function doctor(deps: DoctorDeps): Promise<void> {
  const progress = { location: vscode.ProgressLocation.Window, title: t("Dhi: examining") };
  const sections = await vscode.window.withProgress(progress, () => examine(deps));
  await deps.pages.show(t("Doctor"), doctorPage(sections));
}

async function examine({ places, isSnoozed, extensionVersion }: DoctorDeps): Promise<Section[]> {
  const now = settings();
  const server = serverOf(now);
  const reached = await reach(server, places);
  const checks = clientChecks({
    ...{ settings: now, snoozed: isSnoozed(), extensionVersion, reached },
    inlineSuggestIsOn: inlineSuggestIsOn(),
    remoteName: vscode.env.remoteName,
    proxy: vscode.workspace.getConfiguration("http").get("proxy") ?? "",
    isOnBattery: await isOnBattery(),
    notServed: reached.kind === "ok" ? places.indexPlan().notServed : [],
  });
  const here = { title: t("This editor"), checks };
  return reached.kind === "ok" ? [here, await serverSection(server)] : [here];
}

async function reach(server: Server, places: ServedPlaces): Promise<Reached> {
  const started = performance.now();
  try {
    const status = await callForStatus(server, AbortSignal.timeout(STATUS_MS));
    places.heard(status);
    return { kind: "ok", ms: Math.round(performance.now() - started), version: status.version };
  } catch (error) {
    if (error instanceof ServerRefused) {
      const { status, message, hint } = error;
      return { kind: "refused", status, message, ...(hint !== undefined && { hint }) };
    }
    const { message } = error instanceof ServerUnreachable ? error : new ServerUnreachable(server.url, error);
    return { kind: "unreachable", message };
  }
}

async function serverSection(server: Server): Promise<Section> {
  const title = t("The server");
  try {
    const call = { method: "GET", path: "/v1/doctor" } as const;
    const { checks } = await callForJson<DoctorResponse>(server, call, AbortSignal.timeout(DOCTOR_MS));
    if (!Array.isArray(checks)) throw new Error(t("{0} does not speak Dhi's protocol", server.url));
    return { title, checks };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { title, checks: [{ id: "doctor", title: t("Its own checks"), status: "warn", detail }] };
  }
}
