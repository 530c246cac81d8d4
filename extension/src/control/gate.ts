/** What may be asked of the server, and about which file: the one place that says no. */

import { t } from "../l10n.ts";
import type { Located } from "../locate-file.ts";
import { isSecretFile } from "../secret-file.ts";
import type { Settings } from "../settings.ts";
import { matchingGlob } from "./glob.ts";
import { literalAt } from "./literal-at.ts";

/** Why nothing is asked. */
export type Refusal =
  | { readonly kind: "off" | "not-served" | "secret" | "manual" | "battery" | "comment" | "string" }
  | { readonly kind: "snoozed"; readonly until: number }
  | { readonly kind: "excluded"; readonly glob: string };

/** What holds for the whole window, whatever the settings say. */
export interface Pause {
  /** Milliseconds since 1970; 0 when nobody asked for quiet. */
  readonly snoozedUntil: number;
  readonly isOnBattery: boolean;
}

export const NO_PAUSE: Pause = { snoozedUntil: 0, isOnBattery: false };

/**
 * Of a file that is refused nothing is sent: no completion, no buffer, no word to index it.
 *
 * @param located `undefined` when the file is in no workspace of the server
 */
export function fileRefusal(
  located: Located | undefined,
  { enable, excludeGlobs }: Pick<Settings, "enable" | "excludeGlobs">,
  { snoozedUntil }: Pick<Pause, "snoozedUntil"> = NO_PAUSE,
  now = Date.now(),
): Refusal | undefined {
  if (!enable) return { kind: "off" };
  if (now < snoozedUntil) return { kind: "snoozed", until: snoozedUntil };
  if (!located) return { kind: "not-served" };
  const { path, openPath = path } = located;
  if (latest?.path !== path || latest.openPath !== openPath || latest.excludeGlobs !== excludeGlobs) {
    const refusal = pathRefusal(path, excludeGlobs) ?? pathRefusal(openPath, excludeGlobs);
    latest = { path, openPath, excludeGlobs, refusal };
  }
  return latest.refusal;
}

/** It is asked about one file at key after key, and some twenty patterns take as long as the rest of a key. */
let latest:
  | {
      readonly path: string;
      readonly openPath: string;
      readonly excludeGlobs: readonly string[];
      readonly refusal: Refusal | undefined;
    }
  | undefined;

function pathRefusal(path: string, excludeGlobs: readonly string[]): Refusal | undefined {
  if (isSecretFile(path)) return { kind: "secret" };
  const glob = matchingGlob(path, excludeGlobs);
  return glob === undefined ? undefined : { kind: "excluded", glob };
}

export interface AskedPlace {
  readonly trigger: "automatic" | "manual";
  readonly languageId: string;
  /** Text before the cursor, as `documentContext` cuts it. Only read when the settings tell comments and strings apart. */
  readonly prefix: () => string;
}

/** Of a cursor in a file that is not refused. What the user asks for by hand is asked, but for comments when they are off. */
export function placeRefusal(
  place: AskedPlace,
  settings: Pick<Settings, "trigger" | "commentsAndStrings" | "pauseOnBattery">,
  { isOnBattery }: Pick<Pause, "isOnBattery"> = NO_PAUSE,
): Refusal | undefined {
  if (place.trigger === "automatic") {
    if (settings.trigger === "manual") return { kind: "manual" };
    if (settings.pauseOnBattery && isOnBattery) return { kind: "battery" };
  }
  if (settings.commentsAndStrings !== "off") return undefined;
  const around = literalAt(place.languageId, place.prefix());
  return around === "code" ? undefined : { kind: around };
}

/** Whether a completion here may have one line only, by the user's settings. */
export function isSingleLine(
  place: Pick<AskedPlace, "languageId" | "prefix">,
  { commentsAndStrings }: Pick<Settings, "commentsAndStrings">,
): boolean {
  return commentsAndStrings === "singleLine" && literalAt(place.languageId, place.prefix()) !== "code";
}

/** For the status bar, after "no suggestion:". */
export function refusalWords(refusal: Refusal): string {
  switch (refusal.kind) {
    case "off":
      return t("Dhi is off");
    case "snoozed":
      return t("snoozed until {0}", new Date(refusal.until).toLocaleTimeString([], { timeStyle: "short" }));
    case "not-served":
      return t("the server does not serve this file's folder");
    case "secret":
      return t("this file may hold secrets");
    case "excluded":
      return t("{0} in dhi.excludeGlobs excludes this file", refusal.glob);
    case "manual":
      return t("suggestions come on demand only (dhi.trigger)");
    case "battery":
      return t("paused while on battery (dhi.pauseOnBattery)");
    case "comment":
      return t("off in comments (dhi.commentsAndStrings)");
    case "string":
      return t("off in strings (dhi.commentsAndStrings)");
  }
}
