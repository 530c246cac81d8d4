/** Which files test which, by what they are called and where they lie in the six languages. */
import { fileName, folderOf, upwards, within } from "../graph/resolve/paths.ts";
import type { Tree } from "../graph/tree.ts";

const EXTENSION = /\.[^.]+$/;
/** Around the name of what is tested: `test_cart.py`, `cart_test.go`, `cart.test.ts`, `CartTest.java`. */
const MARKS: readonly RegExp[] = [
  /^test_(?<subject>.+)$/,
  /^(?<subject>.+)_tests?$/,
  /^(?<subject>.+)[.-](test|spec|e2e)$/,
  /^(?<subject>\p{Lu}.*)(Tests?|TestCase|IT|Spec)$/u,
];
const FOLDERS = ["tests", "test", "__tests__", "spec"];
const IN_TEST_FOLDER = new RegExp(`(^|/)(${FOLDERS.join("|")})/`);
/** Where projects keep their code, and where a tree of the same shape keeps its tests. */
const MIRRORED: readonly (readonly [string, string])[] = [
  ["src/main/", "src/test/"],
  ...FOLDERS.flatMap((folder) => [["src/", `${folder}/`] as const, ["lib/", `${folder}/`] as const]),
];

/** @returns the name of what it tests, as its file would be called without extension; `undefined` for no test */
export function subjectOf(path: string): string | undefined {
  const stem = fileName(path).replace(EXTENSION, "");
  for (const mark of MARKS) {
    const subject = mark.exec(stem)?.groups?.subject;
    if (subject !== undefined) return subject;
  }
  return IN_TEST_FOLDER.test(path) ? stem : undefined;
}

export const isTest = (path: string): boolean => subjectOf(path) !== undefined;

/** @returns files of the tree that test this one, the nearest first */
export function testsOf(tree: Tree, path: string): string[] {
  const [stem, extension] = partsOf(path);
  const names = [
    ...[`${stem}.test`, `${stem}.spec`, `test_${stem}`, `${stem}_test`, `${stem}Test`, `${stem}Tests`],
    stem,
  ].map((name) => `${name}${extension}`);
  const own = folderOf(path);
  const folders = [
    own,
    ...mirrors(own, (code, tests) => [code, tests]),
    ...upwards(own).flatMap((folder) => FOLDERS.flatMap((tests) => testFolders(path, folder, tests))),
  ];
  return existing(tree, folders, names).filter((one) => one !== path && isTest(one));
}

/** @returns files of the tree that this test is about, the nearest first */
export function subjectsOf(tree: Tree, path: string): string[] {
  const subject = subjectOf(path);
  if (subject === undefined) return [];
  const [, extension] = partsOf(path);
  const own = folderOf(path);
  const outside = own
    .split("/")
    .filter((part) => !FOLDERS.includes(part))
    .join("/");
  const folders = [
    ...[own, outside],
    ...mirrors(own, (code, tests) => [tests, code]),
    ...upwards(outside).flatMap((folder) => [folder, within(folder, "src"), within(folder, "lib")]),
  ];
  return existing(tree, folders, [`${subject}${extension}`, `${subject}/index${extension}`]).filter(
    (one) => one !== path && !isTest(one),
  );
}

function partsOf(path: string): [stem: string, extension: string] {
  const name = fileName(path);
  const extension = EXTENSION.exec(name)?.[0] ?? "";
  return [name.slice(0, name.length - extension.length), extension];
}

/** A folder's counterpart in the other tree, by each pair of roots that it may lie under. */
function mirrors(
  folder: string,
  order: (code: string, tests: string) => readonly [from: string, to: string],
): string[] {
  return MIRRORED.flatMap((pair) => {
    const [from, to] = order(...pair);
    const at = `/${folder}/`.lastIndexOf(`/${from}`);
    return at < 0 ? [] : [`${folder}/`.slice(0, at) + to + `${folder}/`.slice(at + from.length)];
  }).map((one) => one.replace(/\/$/, ""));
}

/** `tests` beside a folder above the file, and in it the same folders that lead from there to the file. */
function testFolders(path: string, above: string, tests: string): string[] {
  const inner = folderOf(above === "" ? path : path.slice(above.length + 1));
  const place = within(above, tests);
  return inner === "" ? [place] : [within(place, inner), place];
}

function existing(tree: Tree, folders: readonly string[], names: readonly string[]): string[] {
  const found = new Set<string>();
  for (const folder of new Set(folders))
    for (const name of names) if (tree.has(within(folder, name))) found.add(within(folder, name));
  return [...found];
}
