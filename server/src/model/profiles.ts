/** `models.json`: what users say about models, without code. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "@dhi/core/env";
import { contextMode } from "@dhi/core/protocol";
import { describeError } from "@dhi/core/upstream-error";
import { z } from "zod";
import { type FimFormat, formatById, formatIds } from "../prompt/fim-format.ts";

/** What is said of one model; what is left out stays as it is without the file. */
export interface ModelProfile {
  readonly format?: FimFormat | undefined;
  /** Instead of the format's, whichever that is. */
  readonly stop?: readonly string[] | undefined;
  readonly charsPerToken?: number | undefined;
  /** The most context it is given: a request for more of it gets this. */
  readonly mode?: z.infer<typeof contextMode> | undefined;
  /** Instead of CONTEXT_TOKENS. */
  readonly contextTokens?: number | undefined;
  /** Instead of FIM_MODEL_MAX_TOKENS. */
  readonly maxTokens?: number | undefined;
  readonly temperature?: number | undefined;
  /** Completions of less mean log-probability are shown only when asked for by a key; default in `drop-unsure.ts`. */
  readonly minMeanLogprob?: number | undefined;
}

const PROFILES_FILE = "models.json";

const around = z.tuple([z.string(), z.string()]);
const place = z.enum(["before", "in-prefix"]);
const stops = z.array(z.string().min(1)).min(1).max(4);
/** Without a character that has a full-width form there would be nothing to take its meaning away with. */
const token = z.string().regex(/[!-~]/, "expected a printable ASCII character in it");
const charsPerToken = z.number().min(1).max(8);

const inlineFormat = z
  .strictObject({
    id: z.string().trim().min(1),
    order: z.enum(["PSM", "SPM"]),
    opening: z.string().optional(),
    prefix: z.string().min(1),
    suffix: z.string().min(1),
    middle: z.string(),
    stop: stops,
    tokens: z.array(token).optional(),
    repository: z
      .union([
        z.literal("comments"),
        z.strictObject({
          repoName: around.optional(),
          otherFiles: place,
          otherFile: around,
          afterFile: z.string().default(""),
          currentFile: z.strictObject({ mark: z.string().default(""), path: around, place }),
        }),
      ])
      .default("comments"),
    charsPerToken: charsPerToken.default(2.6),
    eachTab: z.boolean().optional(),
    beyondAscii: z.number().min(1).max(4).optional(),
  })
  .superRefine((format, context) => {
    if (formatById(format.id))
      context.addIssue({
        code: "custom",
        path: ["id"],
        message: `"${format.id}" is the name of a known family`,
      });
  });

const profile = z.strictObject({
  format: z.union([z.string(), inlineFormat]).optional(),
  mode: contextMode.optional(),
  contextTokens: z.int().min(256).max(131_072).optional(),
  maxTokens: z.int().min(1).max(2048).optional(),
  stop: stops.optional(),
  charsPerToken: charsPerToken.optional(),
  minMeanLogprob: z.number().min(-20).max(0).optional(),
  options: z.strictObject({ temperature: z.number().min(0).max(2).optional() }).optional(),
});

const profiles = z.record(z.string().min(1), profile);

export interface ProfilesOptions {
  /** MODELS_FILE: when it is set, the file must be there. */
  readonly file: string | undefined;
  readonly dhiHome: string;
  readonly model: string;
}

/**
 * @returns the profile of the first pattern that matches the model's name; `{}` when none does
 * @throws {ConfigError} that names every bad field of the file, also of other models' profiles
 */
export function readProfile({ file, dhiHome, model }: ProfilesOptions): ModelProfile {
  const path = file ?? join(dhiHome, PROFILES_FILE);
  const text = readIfThere(path, file !== undefined);
  if (text === undefined) return {};
  const all = parse(text, path);
  const found = Object.entries(all).find(([pattern]) => matches(pattern, model));
  return found ? resolved(found[1]) : {};
}

function readIfThere(path: string, mustBe: boolean): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (isMissing && !mustBe) return undefined;
    throw new ConfigError(`  MODELS_FILE=${path}: ${describeError(error)}`);
  }
}

function parse(text: string, path: string): z.infer<typeof profiles> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new ConfigError(`  ${path}: ${describeError(error)}`);
  }
  const parsed = profiles.safeParse(json, { reportInput: true });
  const problems = parsed.success ? [] : parsed.error.issues.flatMap((issue) => problemsOf(issue, []));
  const unknown = Object.entries(parsed.data ?? {}).flatMap(([pattern, { format }]) =>
    typeof format === "string" && !formatById(format)
      ? [
          `${pattern}.format: "${format}" is no family; expected one of ${formatIds().join(", ")}, or an object`,
        ]
      : [],
  );
  if (!parsed.success || unknown.length > 0)
    throw new ConfigError([...problems, ...unknown].map((line) => `  ${path}: ${line}`).join("\n"));
  return parsed.data;
}

/** A format that is an object is meant as one: what is wrong with it is told, and not that it is no text. */
function problemsOf(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): string[] {
  const path = [...above, ...issue.path];
  if (issue.code === "invalid_union") {
    const isObject = typeof issue.input === "object" && issue.input !== null;
    const meant = issue.errors[isObject ? 1 : 0] ?? [];
    return meant.flatMap((inner) => problemsOf(inner, path));
  }
  return [`${path.map(String).join(".")}: ${issue.message}`];
}

/** `*` stands for anything; upper and lower case and a tag `:latest` do not matter. */
function matches(pattern: string, model: string): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/:latest$/, "");
  const literal = plain(pattern).replace(/[\\^$.+?()[\]{}|]/g, "\\$&");
  return new RegExp(`^${literal.replaceAll("*", ".*")}$`).test(plain(model));
}

function resolved({ format, options, ...rest }: z.infer<typeof profile>): ModelProfile {
  return {
    ...rest,
    format: typeof format === "object" ? complete(format) : formatById(format ?? ""),
    temperature: options?.temperature,
  };
}

/** Its sentinels and those of its stops that look like one are what user code must not contain. */
function complete({ tokens, ...format }: z.infer<typeof inlineFormat>): FimFormat {
  const { opening = "", prefix, suffix, middle, stop } = format;
  const marks = [opening, prefix, suffix, middle, ...stop.filter((word) => /^\s*[<[]/.test(word))];
  return {
    ...format,
    tokens: tokens ?? [...new Set(marks.map((mark) => mark.trim()).filter((mark) => mark !== ""))],
  };
}
