/** The family of a model, from what the model says of itself. */
import { families, type ModelFamily, untrained } from "../prompt/families.ts";
import {
  adviseModel,
  type ModelAdvice,
  nameOf,
  refusalOf,
  sentinelTokens,
  warningFor,
} from "../prompt/fim-format.ts";
import type { ModelMetadata } from "./metadata.ts";

/** Texts that tell families apart, for {@link readMetadata}. */
export const familyMarks: ReadonlySet<string> = new Set(families.flatMap(({ format }) => format.tokens));

/**
 * A vocabulary without a family's sentinels rules the family out, whatever the name; among those that are left,
 * architecture, the other tokens and names decide.
 *
 * @param model its name, which counts only where the metadata leave it open
 */
export function identify(model: string, metadata: ModelMetadata): ModelAdvice {
  const { capabilities, tokens, template, ownNames } = metadata;
  if (capabilities.length > 0 && !capabilities.includes("completion"))
    return { refusal: refusalOf(model, `Ollama says that its use is ${capabilities.join(", ")}`) };
  if (!tokens && !familiesIn(template).length) return adviseModel(model);

  const possible = tokens
    ? families.filter(({ format }) => hasAll(tokens, sentinelTokens(format)))
    : familiesIn(template);
  const family = best(possible, model, metadata);
  if (!family)
    return { refusal: refusalOf(model, `its vocabulary has no tokens for it${described(metadata)}`) };

  const unfit = unfitness(family, model, metadata);
  if (unfit) return { refusal: refusalOf(model, unfit.because, unfit.instead) };
  const byName = adviseModel(model);
  const { format } = family;
  if (byName.format && byName.format.id !== format.id) {
    return {
      format,
      warning: `Model "${model}" is called like a ${byName.format.id}, but is a ${format.id} by its vocabulary`,
    };
  }
  const warning = [model, ...ownNames]
    .map((name) => warningFor(name, family))
    .find((words) => words !== undefined);
  return warning === undefined ? { format } : { format, warning };
}

const hasAll = (tokens: ReadonlySet<string>, wanted: readonly string[]): boolean =>
  wanted.every((token) => tokens.has(token));

/** Families all of whose sentinels stand in the template: whoever wrote it meant one of them. */
const familiesIn = (template: string): readonly ModelFamily[] =>
  families.filter(({ format }) => sentinelTokens(format).every((token) => template.includes(token)));

/** How much each says for a family. A foreign architecture says as much against it. */
const WEIGHT = { ownName: 8, architecture: 4, tokens: 2, name: 1 };

function best(
  possible: readonly ModelFamily[],
  model: string,
  { ownNames, architecture, tokens }: ModelMetadata,
): ModelFamily | undefined {
  const score = ({ names, architectures, format }: ModelFamily) =>
    (ownNames.some((name) => names.test(nameOf(name))) ? WEIGHT.ownName : 0) +
    (architecture === ""
      ? 0
      : architectures.includes(architecture)
        ? WEIGHT.architecture
        : -WEIGHT.architecture) +
    (tokens
      ? (WEIGHT.tokens * format.tokens.filter((t) => tokens.has(t)).length) / format.tokens.length
      : 0) +
    (names.test(nameOf(model)) ? WEIGHT.name : 0);
  return possible.reduce<ModelFamily | undefined>(
    (chosen, family) => (chosen && score(chosen) >= score(family) ? chosen : family),
    undefined,
  );
}

/**
 * Vocabularies are shared with models that were never trained with these tokens; a file tells by its own name, and only
 * one without is judged by the name the user gave it. A template with a place for the suffix says that it was trained.
 */
function unfitness(
  family: ModelFamily,
  model: string,
  { ownNames, capabilities }: ModelMetadata,
): { because: string; instead?: string } | undefined {
  const own = ownNames.map(nameOf);
  const unfit = [...own, nameOf(model)]
    .filter((name) => family.names.test(name))
    .map((name) => family.unfit?.find((variant) => variant.names.test(name)))
    .find((variant) => variant !== undefined);
  if (unfit || capabilities.includes("insert")) return unfit;
  const names = own.length > 0 ? own : [nameOf(model)];
  if (names.some((name) => families.some((f) => f.names.test(name)))) return undefined;
  return untrained.find((variant) => names.some((name) => variant.names.test(name)));
}

const described = ({ architecture, ownNames }: ModelMetadata): string => {
  const words = [ownNames[0], architecture && `architecture ${architecture}`].filter(Boolean);
  return words.length > 0 ? ` (${words.join(", ")})` : "";
};
