/** Settings from the environment: read once in each `main.ts` into a frozen value. */
import { homedir } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";
import { workspaceList } from "./workspaces.ts";

/** `host`, `host:port` or a URL, as Ollama's and Chroma's own tools take it → a URL without a slash at its end. */
export const hostUrl = (defaultPort: number) =>
  z
    .string()
    .trim()
    .min(1)
    .transform((value, ctx) => {
      const hasScheme = /^[a-z]+:\/\//i.test(value);
      const url = URL.canParse(hasScheme ? value : `http://${value}`)
        ? new URL(hasScheme ? value : `http://${value}`)
        : undefined;
      if (!url || !["http:", "https:"].includes(url.protocol) || !url.hostname) {
        ctx.addIssue({
          code: "custom",
          message: `expected host, host:port or a http(s) URL, got "${withoutPassword(value)}"`,
        });
        return z.NEVER;
      }
      if (url.username || url.password) {
        // `fetch` refuses such a URL, and its words would bring the password into a log.
        ctx.addIssue({ code: "custom", message: "a user name or password has no place in this URL" });
        return z.NEVER;
      }
      // 0.0.0.0 is where a server listens, not where a client can go.
      if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
      if (!url.port && !hasScheme) url.port = String(defaultPort);
      return url.href.replace(/\/+$/, "");
    });

const withoutPassword = (value: string): string => value.replace(/\/\/[^/]*@/, "//…@");

export const port = z.coerce.number().int().min(0).max(65_535);
const flagless = z.string().trim().min(1);

/** What server and indexer must agree on. */
export const sharedEnv = z.object({
  /**
   * Folders whose code is indexed and completed, several at once: `path` or `name=path`, separated by commas, line ends
   * or what separates the folders of PATH (`:`, on Windows `;`). Counts instead of WORKSPACE and WORKSPACE_NAME.
   */
  DHI_WORKSPACES: workspaceList.optional(),
  /** Folder whose code is indexed and completed. */
  WORKSPACE: flagless.default(".").transform((p) => resolve(p)),
  /** Name used in prompts and on the wire; default: the repository's name from its git remote, else the folder's. */
  WORKSPACE_NAME: flagless.optional(),
  /** Where Dhi keeps its state. Never inside the user's workspace by default. */
  DHI_HOME: flagless.default(resolve(homedir(), ".dhi")).transform((p) => resolve(p)),
  OLLAMA_HOST: hostUrl(11_434).default("http://127.0.0.1:11434"),
  CHROMA_HOST: hostUrl(8000).default("http://127.0.0.1:8001"),
  EMBED_MODEL: flagless.default("nomic-embed-text"),
  /** `auto` takes Ollama when it answers and has EMBED_MODEL, else `hash`. */
  EMBEDDER: z.enum(["auto", "ollama", "hash"]).default("auto"),
  OLLAMA_KEEP_ALIVE: z
    .string()
    .trim()
    .regex(/^(-1|0|\d+(ms|s|m|h)?)$/, 'expected a duration such as "30m", seconds, or -1 for ever')
    .default("30m"),
  /**
   * CPU threads a model of Ollama runs on; without it Ollama takes one per core. Those wait for each other by spinning,
   * so that on a machine with other work fewer are faster (measured: 1 of 2 beside a compiler, 20 to 50 times).
   */
  OLLAMA_NUM_THREAD: z.coerce.number().int().min(1).max(1024).optional(),
  INDEXER_HOST: hostUrl(8002).default("http://127.0.0.1:8002"),
  /** Watch by asking the file system repeatedly: for mounts that send no events (some network and VM mounts). */
  WATCH_POLLING: z.stringbool().default(false),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
});

/** @throws {ConfigError} once, with every bad variable named */
export function parseEnv<T extends z.ZodObject>(schema: T, env: NodeJS.ProcessEnv): Readonly<z.infer<T>> {
  // Compose passes `FOO=` for a variable that .env leaves empty: that means "the default", as in a shell's ${FOO:-…}.
  const given = Object.fromEntries(Object.entries(env).filter(([, v]) => v !== undefined && v !== ""));
  const parsed = schema.safeParse(given);
  if (parsed.success) return Object.freeze(parsed.data);
  const shown = (name: string) =>
    /(^|_)(TOKEN|SECRET|PASSWORD|KEY)$/.test(name) ? "…" : withoutPassword(given[name] ?? "");
  throw new ConfigError(
    parsed.error.issues
      .map(({ path, message }) => `  ${path.join(".")}=${shown(String(path[0]))}: ${message}`)
      .join("\n"),
  );
}

/** The settings are wrong; the message has one line per bad variable. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(lines: string) {
    super(`bad settings:\n${lines}`);
  }
}
