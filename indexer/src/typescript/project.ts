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

  function versionOf(file: string): string | undefined {
    const overlay = overlays.get(file);
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

  const host: ts.LanguageServiceHost & InternalHost = {
    ...disk,
    getCompilationSettings: () => plan.options,
    getScriptFileNames: () => [...plan.roots],
    getProjectReferences: () => plan.references,
    getProjectVersion: () => String(version),
    getScriptVersion: (file) => versionOf(file) ?? "missing",
    getScriptSnapshot(file) {
      const text = overlays.get(file)?.scripts ?? disk.readFile(file);
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

  return {
    program() {
      const program = service.getProgram();
      isOld = false;
      if (!program) throw new Error("TypeScript made no program");
      return program;
    },
    refresh(next) {
      plan = next;
      versions.clear();
      // Also what has not changed may lead elsewhere: a file that was not there may be what an import means.
      isOld = true;
      version++;
    },
    overlay(file, whole) {
      if (overlays.get(file)?.whole === whole) return;
      if (whole === undefined) overlays.delete(file);
      else overlays.set(file, overlayOf(file, whole));
      version++;
    },
    dispose: () => service.dispose(),
  };
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
