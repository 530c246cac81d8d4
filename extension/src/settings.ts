/** A typed view of the `dhi.*` settings. Their meaning and defaults stand in package.json. */

export interface Settings {
  readonly enable: boolean;
  /** Without a slash at its end. */
  readonly serverUrl: string;
  /** Empty when the server wants none. */
  readonly token: string;
  readonly debounceMs: number;
  readonly maxTokens: number;
}

/** What `workspace.getConfiguration("dhi")` is to this file. */
export interface SettingsSource {
  get(key: string): unknown;
}

/** Settings are typed by hand, so a value of the wrong type or size gets the nearest one that works. */
export function readSettings(source: SettingsSource): Settings {
  return {
    enable: source.get("enable") !== false,
    serverUrl: (text(source, "serverUrl") || "http://127.0.0.1:8000").replace(/\/+$/, ""),
    token: text(source, "token"),
    debounceMs: integer(source, "debounceMs", { default: 75, min: 0, max: 2000 }),
    maxTokens: integer(source, "maxTokens", { default: 128, min: 1, max: 2048 }),
  };
}

function text(source: SettingsSource, key: string): string {
  const value = source.get(key);
  return typeof value === "string" ? value.trim() : "";
}

function integer(
  source: SettingsSource,
  key: string,
  limits: { readonly default: number; readonly min: number; readonly max: number },
): number {
  const value = source.get(key);
  if (typeof value !== "number" || !Number.isFinite(value)) return limits.default;
  return Math.min(limits.max, Math.max(limits.min, Math.round(value)));
}
