/** How families of code models were trained to fill in the middle, and which family a model's name belongs to. */
import { families, type ModelFamily, untrained } from "./families.ts";

/** Text before and after a name that is put between them. */
export type Around = readonly [before: string, after: string];

/** Where something stands: before the whole FIM block, or inside it, at the start of the prefix part. */
export type Place = "before" | "in-prefix";

/** How a family marks the files of a repository. */
export interface RepositoryFormat {
  /** Around the repository's name, which opens the prompt; absent when the family has no mark for it. */
  readonly repoName?: Around | undefined;
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
  /** Opens the prompt, before everything else; most families have nothing there. */
  readonly opening?: string | undefined;
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
  readonly eachTab?: boolean | undefined;
  /** How much more than others this vocabulary spends on text beyond ASCII; 1 when absent. */
  readonly beyondAscii?: number | undefined;
  /**
   * Trained on gaps that begin and end between tokens, so that it reads a prompt that ends inside a word badly. Others
   * were trained on gaps between any two characters.
   */
  readonly gapsBetweenTokens?: boolean | undefined;
}

export interface ModelAdvice {
  /** Absent exactly when there is a refusal. */
  readonly format?: FimFormat;
  /** Why this model cannot be used, and one that can. */
  readonly refusal?: string;
  /** The refusal is for want of knowledge: what the model says of itself may be better. */
  readonly unknown?: true;
  /** It works, but another tag works better. */
  readonly warning?: string;
}

const NOT_A_GENERATOR = /embed|rerank|guardian|vision|speech|reward/;
const INSTRUCT = /(^|[-:])(instruct|chat|it)([-:.]|$)/;
export const SUGGESTION = "Use for example FIM_MODEL=qwen2.5-coder:1.5b-base";

/**
 * What to make of a model's name: an Ollama name with or without registry, namespace and tag, a Hugging Face name, or
 * a GGUF file's.
 */
export function adviseModel(model: string): ModelAdvice {
  const name = nameOf(model);
  if (NOT_A_GENERATOR.test(name)) return { refusal: refusalOf(model, "it is not made to write") };
  const family = families.find((f) => f.names.test(name));
  if (!family) {
    const other = untrained.find((variant) => variant.names.test(name));
    return other
      ? { refusal: refusalOf(model, other.because) }
      : { refusal: unknownModel(model), unknown: true };
  }
  const unfit = family.unfit?.find((variant) => variant.names.test(name));
  if (unfit) return { refusal: refusalOf(model, unfit.because, unfit.instead) };
  const warning = warningFor(model, family);
  return warning === undefined ? { format: family.format } : { format: family.format, warning };
}

/** @returns the words for a member of the family that works, but not as well as another */
export function warningFor(model: string, family: ModelFamily): string | undefined {
  const name = nameOf(model);
  const doubt = family.doubtful?.find((variant) => variant.names.test(name));
  if (doubt) return `Model "${model}": ${doubt.because}`;
  const better = betterTag(model, name, family.base);
  if (better === undefined) return undefined;
  return `Model "${model}" is tuned to chat and fills in the middle less well; "${better}" is its base`;
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

/** @returns the special tokens its sentinels are made of; a model whose vocabulary lacks one is of another family */
export const sentinelTokens = ({ opening = "", prefix, suffix, middle, tokens }: FimFormat): string[] =>
  tokens.filter((token) => [opening, prefix, suffix, middle].some((sentinel) => sentinel.includes(token)));

/** @returns the message for a model that cannot fill in the middle: it is named, and so is one that can */
export const refusalOf = (model: string, because: string, instead?: string): string =>
  `Model "${model}" cannot fill in the middle: ${because}. ${instead ? `Use for example FIM_MODEL=${instead}` : SUGGESTION}`;

const unknownModel = (model: string): string =>
  `Model "${model}" is not known to fill in the middle. ${SUGGESTION}; ` +
  `for a model that can, under a name of its own, set FIM_FORMAT to one of ${formatIds().join(", ")}`;

/** `hf.co/Qwen/Qwen2.5-Coder-7B_GGUF:Q4_K_M` → `qwen2.5-coder-7b-gguf:q4-k-m` */
export const nameOf = (model: string): string =>
  model
    .slice(model.lastIndexOf("/") + 1)
    .toLowerCase()
    .replaceAll(/[_ ]/g, "-");

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
