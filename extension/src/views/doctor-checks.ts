/** What only the editor's side can know of a set-up. The server's own checks come after it. */
import type { Check } from "@dhi/core/config-protocol";
import { isLoopback } from "../http.ts";
import { t } from "../l10n.ts";
import type { Settings } from "../settings.ts";

export interface ClientFacts {
  readonly settings: Pick<Settings, "enable" | "serverUrl" | "serverCommand" | "trigger" | "pauseOnBattery">;
  readonly snoozed: boolean;
  readonly inlineSuggestIsOn: boolean;
  readonly extensionVersion: string;
  /** `vscode.env.remoteName`: ssh-remote, wsl, dev-container, codespaces…; `undefined` in a local window. */
  readonly remoteName: string | undefined;
  /** `http.proxy`, empty when there is none. */
  readonly proxy: string;
  /** `undefined` when this system does not tell. */
  readonly isOnBattery: boolean | undefined;
  readonly reached: Reached;
  /** Names of open folders of which the server serves nothing. */
  readonly notServed: readonly string[];
}

export type Reached =
  /** `GET /v1/status` answered. */
  | { readonly kind: "ok"; readonly ms: number; readonly version: string }
  | { readonly kind: "refused"; readonly status: number; readonly message: string; readonly hint?: string }
  | { readonly kind: "unreachable"; readonly message: string };

export function clientChecks(facts: ClientFacts): Check[] {
  return [
    switchedOn(facts),
    address(facts),
    reachability(facts),
    ...versions(facts),
    ...folders(facts),
    ...power(facts),
  ];
}

function switchedOn({ settings, snoozed, inlineSuggestIsOn }: ClientFacts): Check {
  const check = { id: "editor", title: t("Suggestions are switched on") };
  if (!inlineSuggestIsOn)
    return {
      ...{ ...check, status: "fail", detail: t("VS Code shows none: editor.inlineSuggest.enabled is off") },
      fix: '"editor.inlineSuggest.enabled": true',
    };
  if (!settings.enable)
    return { ...check, status: "warn", detail: t("dhi.enable is off"), fix: '"dhi.enable": true' };
  if (snoozed) return { ...check, status: "warn", detail: t("snoozed"), fix: "Dhi: End Snooze" };
  const detail =
    settings.trigger === "manual" ? t("on demand (dhi.trigger), with Alt+\\") : t("while typing");
  return { ...check, status: "ok", detail };
}

/** The address is as seen from here, which is another machine than the screen's in a remote window. */
function address({ settings: { serverUrl }, remoteName, proxy }: ClientFacts): Check {
  const check = { id: "address", title: t("Server address") };
  if (!/^https?:/.test(serverUrl) || !URL.canParse(serverUrl))
    return {
      ...{ ...check, status: "fail", detail: t("{0} is no http address", serverUrl) },
      fix: '"dhi.serverUrl": "http://127.0.0.1:8000"',
    };
  const isLocal = isOnThisMachine(serverUrl);
  const where = remoteName
    ? t("{0}, as seen from the remote machine ({1}), where this extension runs", serverUrl, remoteName)
    : serverUrl;
  if (proxy && !isLocal)
    return {
      ...{
        ...check,
        status: "warn",
        detail: t("{0}; http.proxy is set, so requests may go through {1}", where, proxy),
      },
      fix: `"http.noProxy": ["${new URL(serverUrl).hostname}"]`,
    };
  return { ...check, status: "ok", detail: where };
}

function reachability({ settings, remoteName, reached }: ClientFacts): Check {
  const check = { id: "reach", title: t("Server answers") };
  if (reached.kind === "ok")
    return { ...check, status: "ok", detail: t("in {0} ms, seen from the extension host", reached.ms) };
  if (reached.kind === "refused") {
    const token = reached.status === 401 ? '"dhi.token": "…"' : reached.hint;
    return { ...check, status: "fail", detail: reached.message, ...(token && { fix: token }) };
  }
  return { ...check, status: "fail", detail: reached.message, fix: startFix(settings, remoteName) };
}

function startFix(
  { serverUrl, serverCommand }: ClientFacts["settings"],
  remoteName: string | undefined,
): string {
  const byHand = t("# or in the folder with Dhi: {0}", "docker compose up -d");
  const start = serverCommand.length ? "Dhi: Start Server" : `Dhi: Start Server\n${byHand}`;
  if (!remoteName || !isOnThisMachine(serverUrl)) return start;
  const port = URL.canParse(serverUrl) ? new URL(serverUrl).port || "80" : "8000";
  return `${start}\n${REMOTE_FIXES[remoteName]?.(port) ?? t("# on the remote machine: {0} is that machine here", serverUrl)}`;
}

/** How a server that runs on the screen's machine comes into reach of the remote one. */
const REMOTE_FIXES: Readonly<Record<string, (port: string) => string>> = {
  "ssh-remote": (port) =>
    t("# on the remote machine; for a server on your own one: {0}", `ssh -R ${port}:127.0.0.1:${port} HOST`),
  wsl: () => t("# inside WSL; for a server on Windows: {0} in .wslconfig", "networkingMode=mirrored"),
  "dev-container": containerFix,
  "attached-container": containerFix,
};

function containerFix(port: string): string {
  const setting = `"dhi.serverUrl": "http://host.docker.internal:${port}"`;
  return t("# inside the container; for a server on its host: {0}", setting);
}

function versions({ extensionVersion, reached }: ClientFacts): Check[] {
  if (reached.kind !== "ok") return [];
  const same = reached.version === extensionVersion;
  const check = { id: "version", title: t("Versions") };
  const detail = t("server {0}, extension {1}", reached.version, extensionVersion);
  return [same ? { ...check, status: "ok", detail } : { ...check, status: "warn", detail }];
}

function folders({ reached, notServed }: ClientFacts): Check[] {
  if (reached.kind !== "ok") return [];
  const check = { id: "folders", title: t("Open folders are served") };
  if (!notServed.length) return [{ ...check, status: "ok", detail: t("all of them") }];
  return [
    {
      ...{ ...check, status: "warn", detail: t("not served: {0}", notServed.join(", ")) },
      fix: `npm start -- ${notServed.map((name) => `--workspace ${name}`).join(" ")}`,
    },
  ];
}

function power({ settings, isOnBattery }: ClientFacts): Check[] {
  if (!settings.pauseOnBattery) return [];
  const check = { id: "battery", title: t("Pause on battery") };
  if (isOnBattery === undefined)
    return [{ ...check, status: "warn", detail: t("this machine does not tell whether it is on battery") }];
  return [
    { ...check, status: "ok", detail: isOnBattery ? t("on battery: only on demand") : t("plugged in") },
  ];
}

const isOnThisMachine = (url: string): boolean => URL.canParse(url) && isLoopback(new URL(url).hostname);
