/** One message for what failed, with what helps. */
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import { t } from "../l10n.ts";
import { openSettings } from "../open-settings.ts";
import { ServerRefused, ServerUnreachable } from "../server.ts";
import { sayError } from "./say.ts";

const OFFERS = {
  retry: { label: () => t("Retry"), run: () => undefined },
  start: { label: () => t("Start Server"), run: () => vscode.commands.executeCommand("dhi.startServer") },
  settings: { label: () => t("Settings"), run: () => openSettings("dhi.serverUrl") },
  doctor: { label: () => t("Doctor"), run: () => vscode.commands.executeCommand("dhi.doctor") },
  output: { label: () => t("Show Output"), run: () => vscode.commands.executeCommand("dhi.showOutput") },
} as const;

export type Offer = keyof typeof OFFERS;

/** @returns what the user took, which has been done; `retry` is left to the caller */
export async function offer(message: string, offers: readonly Offer[]): Promise<Offer | undefined> {
  const labels = offers.map((name) => OFFERS[name].label());
  const picked = await sayError(message, ...labels);
  const taken = offers.find((name) => OFFERS[name].label() === picked);
  if (taken) await OFFERS[taken].run();
  return taken;
}

/** @throws what is neither a refusal of the server nor its absence or silence */
export async function showServerError(
  error: unknown,
  more: readonly Offer[] = [],
): Promise<Offer | undefined> {
  if (error instanceof ServerUnreachable)
    return offer(`Dhi: ${error.message}`, [...more, "start", "settings", "doctor"]);
  if (error instanceof Error && error.name === "TimeoutError")
    return offer(t("Dhi: the server did not answer in time."), [...more, "doctor", "output"]);
  if (!(error instanceof ServerRefused)) throw error;
  return offer(`Dhi: ${error.message}${error.hint ? ` ${error.hint}` : ""}`, [...more, "doctor"]);
}
