/** Answers what TypeScript knows of a file, with a few projects in memory at a time. Reads the disk and nothing else. */
import { createHash } from "node:crypto";
import { posix } from "node:path";
import ts from "typescript";
import { seenAs } from "./component.ts";
import { createDisk, type Disk, withSlashes } from "./disk.ts";
import type { FileFacts, LookAnswer, LookRequest } from "./facts.ts";
import type { Heap } from "./heap.ts";
import { importsOf } from "./imports-of.ts";
import { namesIn } from "./names-in.ts";
import { createPlaces, type Places } from "./place.ts";
import { createProject, type Project } from "./project.ts";
import { createProjectFinder, type ProjectFinder, type ProjectPlan } from "./project-of.ts";
import { createTypeCollector } from "./type-collector.ts";
import { createTypeMemory, type TypeMemory } from "./type-memory.ts";

export interface TypeReader {
  /** @throws what TypeScript throws at code that it was not made for; the reader stays usable */
  look(request: LookRequest): Promise<LookAnswer>;
  close(): void;
}

export interface TypeReaderDeps {
  /** Called, and waited for, before a project is worked on: that may end the process. */
  readonly onProject?: (project: string) => Promise<void>;
  readonly heap?: Heap;
}

/** The one at work, and two that a file on the way between packages may belong to. */
const MAX_PROJECTS = 3;
const MAX_LINES = 5_000;
/** A project that fills the heap in its first files will do so again. */
const FIRST_LOOKS = 20;

interface Workspace {
  readonly root: string;
  readonly session: string;
  readonly disk: Disk;
  readonly places: Places;
  /** See `createTypeMemory`. */
  readonly library: Map<string, number>;
  finder: ProjectFinder;
  epoch: number;
}

interface OpenProject {
  readonly project: Project;
  epoch: number;
  looks: number;
  program: ts.Program | undefined;
  memory: TypeMemory;
}

export function createTypeReader({ onProject = async () => {}, heap }: TypeReaderDeps = {}): TypeReader {
  const registry = ts.createDocumentRegistry(ts.sys.useCaseSensitiveFileNames);
  const workspaces = new Map<string, Workspace>();
  /** Least recently used first. */
  const projects = new Map<string, OpenProject>();

  function workspaceAt({ root, session, epoch }: LookRequest): Workspace {
    let workspace = workspaces.get(root);
    if (workspace?.session !== session) {
      for (const id of projects.keys()) if (id.startsWith(`${root}\0`)) close(id);
      const disk = createDisk(root);
      const finder = createProjectFinder(root, disk);
      workspace = { root, session, disk, epoch, finder, places: createPlaces(root), library: new Map() };
      workspaces.set(root, workspace);
    }
    if (workspace.epoch !== epoch) {
      workspace.epoch = epoch;
      workspace.finder = createProjectFinder(root, workspace.disk);
    }
    return workspace;
  }

  async function open({ root, disk, library, epoch }: Workspace, plan: ProjectPlan): Promise<OpenProject> {
    const id = `${root}\0${plan.key}`;
    const known = projects.get(id);
    projects.delete(id);
    await onProject(plan.key);
    if (!known) keep(MAX_PROJECTS - 1);
    else if (known.epoch !== epoch) known.project.refresh(plan);
    const entry = known ?? {
      project: createProject(plan, { root, disk, registry }),
      ...{ epoch, looks: 0, program: undefined, memory: createTypeMemory(library) },
    };
    entry.epoch = epoch;
    projects.set(id, entry);
    return entry;
  }

  /** Closes the least recently used. */
  function keep(count: number): void {
    for (const id of projects.keys()) if (projects.size > count) close(id);
  }
  function close(id: string): void {
    projects.get(id)?.project.dispose();
    projects.delete(id);
  }

  function factsOf(file: string, request: LookRequest, workspace: Workspace, entry: OpenProject) {
    entry.project.overlay(file, request.text);
    const program = entry.project.program();
    if (program !== entry.program) {
      entry.program = program;
      entry.memory = createTypeMemory(workspace.library);
    }
    const source = program.getSourceFile(file);
    if (!source) return "TypeScript does not read it";
    if (source.getLineStarts().length > MAX_LINES) return `it has more than ${MAX_LINES} lines`;
    const checker = program.getTypeChecker();
    const { places, root } = workspace;
    const types = createTypeCollector({ checker, places, memory: entry.memory });
    return {
      names: namesIn(source, { checker, places, types }),
      types: types.take(),
      imports: importsOf(source, checker, root, places),
      shape: shapeOf(source, checker),
    };
  }

  /** What was gathered and not answered is to be gathered again. */
  function attempt<T>({ library }: Workspace, entry: OpenProject, work: () => T): T {
    try {
      return work();
    } catch (error) {
      library.clear();
      entry.memory = createTypeMemory(library);
      throw error;
    }
  }

  /** @returns why the project cannot stay in memory */
  function relieve(entry: OpenProject): string | undefined {
    if (!heap?.isNearlyFull()) return undefined;
    keep(1);
    if (!heap.isNearlyFull()) return undefined;
    keep(0);
    return entry.looks <= FIRST_LOOKS ? heap.tooSmall : undefined;
  }

  return {
    async look(asked) {
      const request = { ...asked, root: withSlashes(asked.root) };
      const workspace = workspaceAt(request);
      const file = seenAs(posix.join(request.root, request.path));
      const plan = workspace.finder.planOf(file);
      const about = { project: plan.key, inputs: plan.inputs };
      if (request.without.includes(plan.key))
        return { kind: "unknown", ...about, reason: "its project was given up", wholeProject: true };
      const entry = await open(workspace, plan);
      entry.looks++;
      const found = attempt(workspace, entry, () => factsOf(file, request, workspace, entry));
      const tooMuch = relieve(entry);
      if (tooMuch) return { kind: "unknown", ...about, reason: tooMuch, wholeProject: true };
      if (typeof found === "string") return { kind: "unknown", ...about, reason: found, wholeProject: false };
      return { kind: "facts", ...about, ...found };
    },
    close: () => keep(0),
  };
}

/** Names and types of the exports. Members of named types are left out: those are stored once, under the type's key. */
function shapeOf(source: ts.SourceFile, checker: ts.TypeChecker): FileFacts["shape"] {
  const module = checker.getSymbolAtLocation(source);
  const exported = module ? checker.getExportsOfModule(module) : [];
  const texts = exported.map(
    (symbol) => `${symbol.name}: ${checker.typeToString(checker.getTypeOfSymbol(symbol))}`,
  );
  return createHash("sha1").update(texts.sort().join("\n")).digest("hex");
}
