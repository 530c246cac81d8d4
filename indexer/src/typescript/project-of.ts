/**
 * Which project a file belongs to: the nearest `tsconfig.json` or `jsconfig.json` that includes it, itself or through its
 * references. A file that none includes is read with the files of its folder, under the nearest settings there are.
 */
import { posix } from "node:path";
import ts from "typescript";
import { seenAs } from "./component.ts";
import type { Disk } from "./disk.ts";

/** How a program is made. Absolute names. */
export interface ProjectPlan {
  /** Names it within the workspace: its settings, or those and a folder. */
  readonly key: string;
  /** The files it starts from. */
  readonly roots: readonly string[];
  readonly options: ts.CompilerOptions;
  readonly references: readonly ts.ProjectReference[];
  /** See `FileFacts.inputs`. */
  readonly inputs: readonly string[];
}

export interface ProjectFinder {
  /** @param file absolute, as `seenAs` names it */
  planOf(file: string): ProjectPlan;
}

/** With more files than this a project is read folder by folder, so that memory stays bounded. */
const MAX_PROJECT_FILES = 5_000;
const CONFIG_NAMES = ["tsconfig.json", "jsconfig.json"];
const COMPONENTS: readonly ts.FileExtensionInfo[] = ["vue", "svelte"].map((extension) => ({
  ...{ extension, isMixedContent: true, scriptKind: ts.ScriptKind.Deferred },
}));

/** Remembers what it read: make another one when files may have changed. */
export function createProjectFinder(root: string, disk: Disk): ProjectFinder {
  const configs = new Map<string, Config | undefined>();
  const plans = new Map<string, ProjectPlan>();

  /** @returns `undefined` where there is none. One that is broken counts as far as it can be read */
  function configAt(path: string): Config | undefined {
    if (!configs.has(path)) configs.set(path, disk.fileExists(path) ? readConfig(path, disk) : undefined);
    return configs.get(path);
  }

  function including(config: Config, file: string, seen: Set<Config>): Config | undefined {
    if (config.files.has(file)) return config;
    seen.add(config);
    for (const reference of config.references) {
      const next = configAt(ts.resolveProjectReferencePath(reference));
      const found = next && !seen.has(next) ? including(next, file, seen) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  function planOf(file: string): ProjectPlan {
    const folder = posix.dirname(file);
    const above = foldersUpTo(root, folder);
    const candidates = above.flatMap((f) => CONFIG_NAMES.map((name) => posix.join(f, name)));
    const configsAbove = candidates.flatMap((path) => configAt(path) ?? []);
    for (const config of configsAbove) {
      const found = including(config, file, new Set());
      if (found && found.files.size <= MAX_PROJECT_FILES) return wholeProject(found);
      if (found) return partOf(found, folder, candidates);
    }
    return partOf(configsAbove[0], folder, candidates);
  }

  function wholeProject(config: Config): ProjectPlan {
    return remember(posix.relative(root, config.path), () => ({
      ...{ roots: [...config.files], options: config.options, references: config.references },
      inputs: inputsOf(config, []),
    }));
  }

  function partOf(config: Config | undefined, folder: string, candidates: readonly string[]): ProjectPlan {
    const settings = config ? posix.relative(root, config.path) : "";
    return remember(`${settings}#${posix.relative(root, folder)}`, () => ({
      // Declarations of the project hold everywhere in it.
      roots: [...new Set([...disk.sources(folder), ...(config?.files ?? [])])].filter(
        (f) => posix.dirname(f) === folder || /\.d\.[cm]?ts$/.test(f),
      ),
      options: config?.options ?? overridden(WITHOUT_SETTINGS),
      references: config?.references ?? [],
      inputs: inputsOf(config, candidates),
    }));
  }

  function remember(key: string, make: () => Omit<ProjectPlan, "key">): ProjectPlan {
    const plan = plans.get(key) ?? { key, ...make() };
    plans.set(key, plan);
    return plan;
  }

  function inputsOf(config: Config | undefined, candidates: readonly string[]): string[] {
    const from = config ? posix.dirname(config.path) : root;
    const packages = foldersUpTo(root, from).flatMap((folder) => [
      posix.join(folder, "node_modules"),
      posix.join(folder, "node_modules/.package-lock.json"),
    ]);
    const all = [...candidates, ...(config ? [config.path, ...config.extended] : []), ...packages];
    return [...new Set(all)].map((path) => posix.relative(root, path));
  }

  return { planOf };
}

interface Config {
  readonly path: string;
  readonly files: ReadonlySet<string>;
  readonly options: ts.CompilerOptions;
  readonly references: readonly ts.ProjectReference[];
  /** The settings it extends, near and far. */
  readonly extended: readonly string[];
}

function readConfig(path: string, disk: Disk): Config {
  const host: ts.ParseConfigHost = { ...disk, useCaseSensitiveFileNames: ts.sys.useCaseSensitiveFileNames };
  const source = ts.readJsonConfigFile(path, disk.readFile);
  const folder = posix.dirname(path);
  const parsed = ts.parseJsonSourceFileConfigFileContent(
    ...([source, host, folder, undefined, path, undefined, COMPONENTS] as const),
  );
  return {
    path,
    files: new Set(parsed.fileNames.map(seenAs)),
    options: overridden(parsed.options),
    references: parsed.projectReferences ?? [],
    extended: source.extendedSourceFiles ?? [],
  };
}

const WITHOUT_SETTINGS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  jsx: ts.JsxEmit.Preserve,
  strictNullChecks: true,
  resolveJsonModule: true,
};

/** Nothing is written, JavaScript is read, and of packages only declarations are. */
const overridden = ({ plugins: _, ...options }: ts.CompilerOptions): ts.CompilerOptions => ({
  ...options,
  ...{ noEmit: true, composite: false, incremental: false, declaration: false, declarationMap: false },
  ...{ allowJs: true, maxNodeModuleJsDepth: 0, disableSourceOfProjectReferenceRedirect: false },
});

/** @returns the folder and those above it, up to the root; only the root for a folder outside */
function foldersUpTo(root: string, folder: string): string[] {
  const folders: string[] = [];
  for (let at = folder; at.startsWith(`${root}/`); at = posix.dirname(at)) folders.push(at);
  return [...folders, root];
}
