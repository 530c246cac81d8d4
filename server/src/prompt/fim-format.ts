/** How families of code models were trained to fill in the middle, and which family a model's name belongs to. */
import { families, type ModelFamily } from "./families.ts";

/** Text before and after a name that is put between them. */
export type Around = readonly [before: string, after: string];

/** Where something stands: before the whole FIM block, or inside it, at the start of the prefix part. */
export type Place = "before" | "in-prefix";

/** How a family marks the files of a repository. */
export interface RepositoryFormat {
  /** Around the repository's name, which opens the prompt; absent when the family has no mark for it. */
  readonly repoName?: Around;
  readonly otherFiles: Place;
  /** Around the path of another file; its text follows and is made to end with a line end. */
  readonly otherFile: Around;
  /** After that line end. */
  readonly afterFile: string;
  readonly currentFile: {
    /** Always before the FIM block, even where the path is inside. */
    readonly mark: string;
    readonly path: Around;
    readonly place: Place;
  };
}

export interface FimFormat {
  /** What `FIM_FORMAT` takes and the protocol reports. */
  readonly id: string;
  /** prefix–suffix–middle, or suffix–prefix–middle as `SUF S PRE P MID`. */
  readonly order: "PSM" | "SPM";
  /** Sentinels with the blanks that belong to them, exactly as trained. */
  readonly prefix: string;
  readonly suffix: string;
  /** Empty for a family that has none. */
  readonly middle: string;
  /** What ends a completion. At most 4: OpenAI-compatible servers may reject more. */
  readonly stop: readonly string[];
  /** Every special token of the vocabulary that would act as one if user code contained it. */
  readonly tokens: readonly string[];
  /** `comments`: nothing was trained, so other files stand as comments at the start of the prefix part. */
  readonly repository: RepositoryFormat | "comments";
  /**
   * Characters of source code per token. Low on purpose (the densest language measured, Go): overestimating tokens
   * wastes a little context, underestimating gets the prompt cut or refused.
   */
  readonly charsPerToken: number;
  /** Whether each tab is a token, as in vocabularies that have none for several. */
  readonly eachTab?: boolean;
  /** How much more than others this vocabulary spends on text beyond ASCII; 1 when absent. */
  readonly beyondAscii?: number;
}

export interface ModelAdvice {
  /** Absent exactly when there is a refusal. */
  readonly format?: FimFormat;
  /** Why this model cannot be used, and one that can. */
  readonly refusal?: string;
  /** It works, but another tag works better. */
  readonly warning?: string;
}

const NOT_A_GENERATOR = /embed|rerank|guardian|vision|speech|reward/;
const INSTRUCT = /(^|[-:])(instruct|chat|it)([-:.]|$)/;
const SUGGESTION = "qwen2.5-coder:1.5b-base";

/**
 * What to make of a model's name: an Ollama name with or without registry, namespace and tag, a Hugging Face name, or
 * a GGUF file's.
 */
export function adviseModel(model: string): ModelAdvice {
  const name = nameOf(model);
  const family = families.find((f) => f.names.test(name));
  if (!family || NOT_A_GENERATOR.test(name)) return { refusal: refuseModel(model) };
  const unfit = family.unfit?.find((variant) => variant.names.test(name));
  if (unfit) return { refusal: refuseModel(model) };

  const doubt = family.doubtful?.find((variant) => variant.names.test(name));
  const better = betterTag(model, name, family.base);
  const warning = doubt
    ? `Model "${model}": ${doubt.because}`
    : better &&
      `Model "${model}" is tuned to chat and fills in the middle less well; "${better}" is its base`;
  return warning ? { format: family.format, warning } : { format: family.format };
}

/** @returns undefined for an unknown id */
export const formatById = (id: string): FimFormat | undefined =>
  families.find((family) => family.format.id === id)?.format;

/** @returns every id that {@link formatById} knows, for messages */
export const formatIds = (): string[] => families.map((family) => family.format.id);

/** @returns what this family may emit that must never reach the editor: stops, sentinels, other special tokens */
export const leaksOf = (format: FimFormat): readonly string[] => [
  ...new Set([...format.stop, ...format.tokens]),
];

/** @returns the message for a model that cannot fill in the middle: it is named, and so is one that can */
export function refuseModel(model: string): string {
  const name = nameOf(model);
  const family = families.find((f) => f.names.test(name));
  const unfit = family?.unfit?.find((variant) => variant.names.test(name));
  if (unfit) {
    return `Model "${model}" cannot fill in the middle: ${unfit.because}. Use for example FIM_MODEL=${unfit.instead}`;
  }
  return (
    `Model "${model}" is not known to fill in the middle. Use for example FIM_MODEL=${SUGGESTION}; ` +
    `for a model that can, under a name of its own, set FIM_FORMAT to one of ${formatIds().join(", ")}`
  );
}

/** `hf.co/Qwen/Qwen2.5-Coder-7B_GGUF:Q4_K_M` → `qwen2.5-coder-7b-gguf:q4-k-m` */
const nameOf = (model: string): string =>
  model
    .slice(model.lastIndexOf("/") + 1)
    .toLowerCase()
    .replaceAll("_", "-");

/** @returns the tag of the base weights when `name` is the chat tune of a model that has both */
function betterTag(model: string, name: string, base: ModelFamily["base"]): string | undefined {
  if (!base || !name.includes(base.name)) return undefined;
  const isLibrary = !model.includes("/") || /(^|\/)library\/[^/]+$/.test(model);
  const unmarked = isLibrary && base.mark !== "" && !name.slice(base.name.length).includes(base.mark);
  if (!INSTRUCT.test(name) && !unmarked) return undefined;
  const words = name.split(/[-:]/);
  const size = base.sizes.find((s) => words.includes(s));
  return `${base.name}:${size ?? base.sizes[0]}${base.tagEnd}`;
}
