/** One program of TypeScript that follows the disk. */
import { createHash } from "node:crypto";
import ts from "typescript";
import { componentOf, grammarOfScripts, scriptsOf } from "./component.ts";
import type { Disk } from "./disk.ts";
import type { ProjectPlan } from "./project-of.ts";

export interface Project {
  /** As of the last refresh. */
  program(): ts.Program;
  /** What has changed on the disk is read again when the program is asked for. */
  refresh(plan: ProjectPlan): void;
  /** Has a text stand for a file, as `seenAs` names it, or the file for itself again. */
  overlay(file: string, text: string | undefined): void;
  dispose(): void;
}

export interface ProjectDeps {
  readonly root: string;
  readonly disk: Disk;
  /** Shares what is read, such as TypeScript's own library, among projects. */
  readonly registry: ts.DocumentRegistry;
}

export function createProject(first: ProjectPlan, { root, disk, registry }: ProjectDeps): Project {
  let plan = first;
  /** Raised by each change, so that nothing is compared while there is none. */
  let version = 1;
  let isOld = false;
  const versions = new Map<string, string | undefined>();
  const overlays = new Map<string, Overlay>();
  /** Files that overflow TypeScript's stack, which are read as empty: else nothing would be known of the others. */
  const tooDeep = new Set<string>();

  function versionOf(file: string): string | undefined {
    const overlay = overlays.get(file);
    if (tooDeep.has(file)) return "too deep";
    if (overlay) return overlay.version;
    if (!versions.has(file)) versions.set(file, disk.stamp(file));
    return versions.get(file);
  }

  function scriptKind(file: string): ts.ScriptKind {
    const component = componentOf(file);
    const whole = component && (overlays.get(file)?.whole ?? disk.readWhole(file));
    const grammar = component && whole ? grammarOfScripts(component, whole) : undefined;
    return grammar ? (SCRIPT_KINDS.get(grammar) ?? ts.ScriptKind.TS) : BY_ITS_NAME;
  }

  const textOf = (file: string) => overlays.get(file)?.scripts ?? disk.readFile(file);

  const host: ts.LanguageServiceHost & InternalHost = {
    ...disk,
    getCompilationSettings: () => plan.options,
    getScriptFileNames: () => [...plan.roots],
    getProjectReferences: () => plan.references,
    getProjectVersion: () => String(version),
    getScriptVersion: (file) => versionOf(file) ?? "missing",
    getScriptSnapshot(file) {
      const text = tooDeep.has(file) ? "" : textOf(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getScriptKind: scriptKind,
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    useSourceOfProjectReferenceRedirect: () => true,
    hasInvalidatedResolutions: () => isOld,
  };
  const service = ts.createLanguageService(host, registry);

  /** With its checker, for which every file is bound. */
  function checked(): ts.Program | undefined {
    const program = service.getProgram();
    program?.getTypeChecker();
    return program;
  }

  function withoutTooDeep(): ts.Program | undefined {
    try {
      return checked();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      for (const file of plan.roots)
        if (nestsTooDeep(file, textOf(file) ?? "", scriptKind(file))) tooDeep.add(file);
      // The service asks for the files of another version only.
      version++;
      return checked();
    }
  }

  return {
    program() {
      const program = withoutTooDeep();
      isOld = false;
      if (!program) throw new Error("TypeScript made no program");
      return program;
    },
    refresh(next) {
      plan = next;
      versions.clear();
      tooDeep.clear();
      // Also what has not changed may lead elsewhere: a file that was not there may be what an import means.
      isOld = true;
      version++;
    },
    overlay(file, whole) {
      if (overlays.get(file)?.whole === whole) return;
      tooDeep.delete(file);
      if (whole === undefined) overlays.delete(file);
      else overlays.set(file, overlayOf(file, whole));
      version++;
    },
    dispose: () => service.dispose(),
  };
}

/** Half of what overflows Node's stack of a megabyte; code that people write has some 50 nodes in each other. */
const MAX_DEPTH = 600;

function nestsTooDeep(file: string, text: string, kind: ts.ScriptKind): boolean {
  try {
    let level: ts.Node[] = [ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, false, kind)];
    for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) level = level.flatMap(childrenOf);
    return level.length > 0;
  } catch (error) {
    if (error instanceof RangeError) return true;
    throw error;
  }
}

function childrenOf(node: ts.Node): ts.Node[] {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  return children;
}

/** What TypeScript's own server tells its service beyond what is declared. */
interface InternalHost {
  /** Imports of a referenced project lead to its sources, also where it has not been built. */
  readonly useSourceOfProjectReferenceRedirect: () => boolean;
  readonly hasInvalidatedResolutions: (path: string) => boolean;
}

interface Overlay {
  readonly whole: string;
  readonly scripts: string;
  readonly version: string;
}

function overlayOf(file: string, whole: string): Overlay {
  const component = componentOf(file);
  return {
    whole,
    scripts: component === undefined ? whole : scriptsOf(component, whole),
    version: createHash("sha1").update(whole).digest("hex"),
  };
}

const BY_ITS_NAME = ts.ScriptKind.Unknown;
const SCRIPT_KINDS: ReadonlyMap<string, ts.ScriptKind> = new Map([
  ["typescript", ts.ScriptKind.TS],
  ["tsx", ts.ScriptKind.TSX],
  ["javascript", ts.ScriptKind.JSX],
]);
