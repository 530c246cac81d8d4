/**
 * Why a file stays out of the index, decided in the order of what it costs: by name, by stat, by content. A file that its
 * name or stat rules out is never opened.
 */
import type { Stats } from "node:fs";
import { posix } from "node:path";
import type { SkipReason } from "@dhi/core/chunk";

/** @param stat from `lstat`: a symbolic link is not followed */
export function skipByStat(path: string, stat: Stats, maxFileBytes: number): SkipReason | undefined {
  if (!stat.isFile()) return "not-a-file";
  if (stat.size > maxFileBytes) return "too-large";
  return skipByName(path);
}

export function skipByName(path: string): SkipReason | undefined {
  const name = posix.basename(path);
  if (isSecret(path, name)) return "secret";
  if (GENERATED_NAMES.has(name) || /\.map$/i.test(name)) return "generated";
  if (/[.-]min\.(?:js|mjs|cjs|css)$/i.test(name)) return "minified";
  return undefined;
}

/** For text that has been read; see `decodeText` for `binary`. */
export function skipByText(text: string, language: string): SkipReason | undefined {
  if (hasGeneratedHeader(text)) return "generated";
  return isMinified(text, language) ? "minified" : undefined;
}

const SECRET_NAME = new RegExp(
  [
    "^\\.env(?:rc)?(?:[._-].*)?$",
    "\\.env$",
    "\\.(?:pem|key|p12|pfx|keystore|jks|p8|kdbx|ppk|asc|gpg)$",
    "^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[._-].*)?$",
    "^\\.(?:npmrc|yarnrc|netrc|pypirc|pgpass|htpasswd|git-credentials|dockercfg)$",
    "^_netrc$",
    "^(?:credentials|secrets?)(?:\\.(?:json|ya?ml|toml|ini))?$",
    "^service-account.*\\.json$",
  ].join("|"),
  "i",
);
/** Made to be shared: `.env.example`. A public key is no secret either. */
const SHARED_NAME = /[._-](?:example|sample|template|dist)$|\.pub$/i;
const SECRET_FOLDERS = /(?:^|\/)\.(?:ssh|gnupg|aws|kube|docker)\//;

const isSecret = (path: string, name: string): boolean =>
  (SECRET_NAME.test(name) && !SHARED_NAME.test(name)) || SECRET_FOLDERS.test(path);

/** Written by tools, long, and full of names nobody types. */
const GENERATED_NAMES = new Set([
  ...["package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "deno.lock"],
  ...["Cargo.lock", "poetry.lock", "uv.lock", "pdm.lock", "Pipfile.lock", "composer.lock", "Gemfile.lock"],
  ...[
    "go.sum",
    "go.work.sum",
    "flake.lock",
    "pubspec.lock",
    "Podfile.lock",
    "mix.lock",
    ".terraform.lock.hcl",
  ],
]);

const HEADER_LINES = 10;
const COMMENT_START = /^\s*(?:\/\/|\/\*|\*|#|--|<!--|;|%|"""|''')/;
const GENERATED_MARK = /@generated\b|\bDO NOT (?:EDIT|MODIFY)\b|\bgenerated\b.*\bdo not (?:edit|modify)\b/;

/** The marks of Go, Meta's tools and protoc: in a comment of the first lines, so that code that speaks of them stays. */
const hasGeneratedHeader = (text: string): boolean =>
  text
    .slice(0, 4_000)
    .split("\n", HEADER_LINES)
    .some((line) => COMMENT_START.test(line) && GENERATED_MARK.test(line));

/** Formatted code of any language averages 25 to 45 characters a line; bundles have thousands. */
const MINIFIED_MEAN_LINE = 300;
const MINIFIED_MIN_CHARS = 5_000;
/** Prose has one paragraph per line, a notebook one image per line; the images are not searched. */
const LONG_LINES = new Set(["markdown", "plaintext", "jupyter-notebook"]);

function isMinified(text: string, language: string): boolean {
  if (text.length < MINIFIED_MIN_CHARS || LONG_LINES.has(language)) return false;
  let lineCount = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lineCount++;
  return text.length / lineCount > MINIFIED_MEAN_LINE;
}
