/** Edits as a person makes them, in any of the six languages. */
import { languageOf } from "@dhi/core/languages";
import { git } from "./git.ts";
import type { Random } from "./random.ts";

/** @returns paths of the tracked files that have a grammar, in order */
export const sourcesOf = (repository: string): string[] =>
  git(repository, "ls-files", "-z")
    .split("\0")
    .filter((path) => languageOf(path).grammar !== undefined)
    .sort();

/** Adds a definition with that name, the only place in the repository that has it. */
export const withDefinition = (path: string, text: string, name: string): string =>
  `${text.replace(/\n*$/, "\n\n")}${definitionOf(path, name)}\n`;

/** A name that nothing else has, in letters only: that is what searches go by. */
export const uniqueName = (start: string, random: Random): string =>
  start + Array.from({ length: 8 }, () => random.pick(LETTERS)).join("");

const LETTERS = [..."bcdfghjkmpqrtvwxz"];

/** The words of such a definition that no other text has. */
export const rareWordsOf = (name: string): string[] => [
  name,
  `${name}First`,
  `${name}Second`,
  `${name}Result`,
];

function definitionOf(path: string, name: string): string {
  const [first, second, result] = [`${name}First`, `${name}Second`, `${name}Result`];
  switch (languageOf(path).grammar) {
    case "python":
      return `def ${name}(${first}, ${second}):\n    ${result} = ${first} + ${second}\n    return ${result}`;
    case "go":
      return `func ${name}(${first} int, ${second} int) int {\n\t${result} := ${first} + ${second}\n\treturn ${result}\n}`;
    case "rust":
      return `pub fn ${name}(${first}: u32, ${second}: u32) -> u32 {\n    let ${result} = ${first} + ${second};\n    ${result}\n}`;
    case "java":
      return `class ${name} {\n  int sum(int ${first}, int ${second}) {\n    int ${result} = ${first} + ${second};\n    return ${result};\n  }\n}`;
    default:
      return `function ${name}(${first}, ${second}) {\n  const ${result} = ${first} + ${second};\n  return ${result};\n}`;
  }
}
