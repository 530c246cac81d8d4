/** A typed view of the `dhi.*` settings. Their meaning and defaults stand in package.json. */

export interface Settings {
  readonly enable: boolean;
  /** Without a slash at its end. */
  readonly serverUrl: string;
  /** Empty when the server wants none. */
  readonly token: string;
  /** `null` adapts it to how fast the user types and the server answers. */
  readonly debounceMs: number | null;
  readonly maxTokens: number;
  /** 0 leaves it to the server. */
  readonly maxLines: number;
  readonly trigger: (typeof TRIGGERS)[number];
  readonly commentsAndStrings: (typeof IN_LITERALS)[number];
  /** Files of which nothing is ever sent. As `control/glob.ts` reads them. */
  readonly excludeGlobs: readonly string[];
  readonly pauseOnBattery: boolean;
  /** Whether the server is told what became of suggestions: times and lengths, never code. */
  readonly localMetrics: boolean;
  /** Whether edits are written down on this machine, code and all. */
  readonly recordEdits: boolean;
  /** Program and arguments that start a server; empty: the user starts it. */
  readonly serverCommand: readonly string[];
  /** Where that runs; empty: in the first open folder. */
  readonly serverDirectory: string;
}

/** What `workspace.getConfiguration("dhi")` is to this file. */
export interface SettingsSource {
  get(key: string): unknown;
}

const TRIGGERS = ["automatic", "manual"] as const;
const IN_LITERALS = ["on", "singleLine", "off"] as const;

/** By name or place: `control/gate.ts` refuses others, which hold secrets for sure, whatever is set here. */
const EXCLUDED = [
  ".env*",
  "*.pem",
  "*.key",
  "*.p12",
  "*.pfx",
  "*.keystore",
  "*.jks",
  "id_rsa*",
  "id_ed25519*",
];

/** Settings are typed by hand, so a value of the wrong type or size gets the nearest one that works. */
export function readSettings(source: SettingsSource): Settings {
  return {
    enable: source.get("enable") !== false,
    serverUrl: (text(source, "serverUrl") || "http://127.0.0.1:8000").replace(/\/+$/, ""),
    token: text(source, "token"),
    debounceMs: integer(source, "debounceMs", { default: null, min: 0, max: 2000 }),
    maxTokens: integer(source, "maxTokens", { default: 128, min: 1, max: 2048 }),
    maxLines: integer(source, "maxLines", { default: 0, min: 0, max: 200 }),
    trigger: oneOf(source, "trigger", TRIGGERS),
    commentsAndStrings: oneOf(source, "commentsAndStrings", IN_LITERALS),
    excludeGlobs: texts(source, "excludeGlobs", EXCLUDED),
    pauseOnBattery: source.get("pauseOnBattery") === true,
    localMetrics: source.get("localMetrics") === true,
    recordEdits: source.get("recordEdits") === true,
    serverCommand: texts(source, "server.command", []),
    serverDirectory: text(source, "server.directory"),
  };
}

function text(source: SettingsSource, key: string): string {
  const value = source.get(key);
  return typeof value === "string" ? value.trim() : "";
}

function texts(source: SettingsSource, key: string, fallback: readonly string[]): readonly string[] {
  const value = source.get(key);
  return Array.isArray(value) ? value.filter((one) => typeof one === "string" && one !== "") : fallback;
}

/** @returns the first of them when it is none */
function oneOf<T extends string>(source: SettingsSource, key: string, values: readonly [T, ...T[]]): T {
  const value = source.get(key);
  return values.find((known) => known === value) ?? values[0];
}

function integer<T extends number | null>(
  source: SettingsSource,
  key: string,
  limits: { readonly default: T; readonly min: number; readonly max: number },
): number | T {
  const value = source.get(key);
  if (typeof value !== "number" || !Number.isFinite(value)) return limits.default;
  return Math.min(limits.max, Math.max(limits.min, Math.round(value)));
}
