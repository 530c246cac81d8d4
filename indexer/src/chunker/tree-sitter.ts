/** web-tree-sitter with all grammars loaded, and a parse that no input can break. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { GrammarName } from "@dhi/core/languages";
import { Language, type Node, Parser, Query } from "web-tree-sitter";

interface GrammarFiles {
  /** The compiled grammar in its package. */
  readonly wasm: string;
  /** What is asked of its trees, in `indexer/queries`; together they are one query. */
  readonly queries: readonly string[];
}

const FILES: Readonly<Record<GrammarName, GrammarFiles>> = {
  python: { wasm: "tree-sitter-python/tree-sitter-python.wasm", queries: ["python"] },
  typescript: {
    wasm: "tree-sitter-typescript/tree-sitter-typescript.wasm",
    queries: ["ecmascript", "typescript"],
  },
  tsx: {
    wasm: "tree-sitter-typescript/tree-sitter-tsx.wasm",
    queries: ["ecmascript", "jsx", "typescript"],
  },
  javascript: {
    wasm: "tree-sitter-javascript/tree-sitter-javascript.wasm",
    queries: ["ecmascript", "javascript", "jsx"],
  },
  go: { wasm: "tree-sitter-go/tree-sitter-go.wasm", queries: ["go"] },
  rust: { wasm: "tree-sitter-rust/tree-sitter-rust.wasm", queries: ["rust"] },
  java: { wasm: "tree-sitter-java/tree-sitter-java.wasm", queries: ["java"] },
};

export interface TreeSitter {
  /**
   * Parses the text and hands its syntax tree and the grammar's query to `read`; the tree is freed afterwards. Offsets of
   * nodes are UTF-16 units.
   *
   * @returns what `read` returned, or `undefined` when the text cannot be parsed within the time or the parser's stack
   */
  parse<T>(
    text: string,
    grammar: GrammarName,
    timeoutMs: number,
    read: (root: Node, query: Query) => T,
  ): T | undefined;
}

/** The library keeps one WebAssembly instance per process, so this is shared too. */
let shared: Promise<TreeSitter> | undefined;

/** @throws when a grammar's file is missing */
export function loadTreeSitter(): Promise<TreeSitter> {
  shared ??= load();
  return shared;
}

async function load(): Promise<TreeSitter> {
  const machine = await instantiate();
  const readers = new Map<string, { parser: Parser; query: Query }>();
  for (const [name, { wasm, queries }] of Object.entries(FILES)) {
    const language = await Language.load(new Uint8Array(await readFile(require.resolve(wasm))));
    const texts = await Promise.all(queries.map(queryText));
    readers.set(name, {
      parser: new Parser().setLanguage(language),
      query: new Query(language, texts.join("\n")),
    });
  }
  const rewind = checkpoint(machine);

  return {
    parse(text, grammar, timeoutMs, read) {
      const reader = readers.get(grammar);
      if (!reader) return undefined;
      const { parser, query } = reader;
      const deadline = performance.now() + timeoutMs;
      try {
        const tree = parser.parse(text, null, { progressCallback: () => performance.now() > deadline });
        if (!tree) {
          // Else the next text would be taken for the rest of this one.
          parser.reset();
          return undefined;
        }
        const result = read(tree.rootNode, query);
        tree.delete();
        if (!machine.overflowed()) return result;
      } catch {
        // Whatever was thrown, the instance may be in the middle of something: fall through to a clean one.
      }
      rewind();
      return undefined;
    },
  };
}

const require = createRequire(import.meta.url);

/** From `src` and `dist` the folder lies equally far. */
const queryText = (name: string): Promise<string> =>
  readFile(new URL(`../../queries/${name}.scm`, import.meta.url), "utf8");

/** The part of WebAssembly that is used here: @types/node leaves it to the browser's types. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
}
interface WasmGlobal {
  value: number;
}
declare const WebAssembly: {
  readonly Memory: abstract new () => WasmMemory;
  readonly Global: abstract new () => WasmGlobal;
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(module: object, imports: WasmImports): Promise<object>;
};
type WasmImports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What the parser's C code can change: its memory, and how deep its stack stands. */
interface Machine {
  readonly memory: WasmMemory;
  readonly stackPointer: WasmGlobal;
  /** Whether the stack has touched its end since the last checkpoint. */
  overflowed(): boolean;
}

async function instantiate(): Promise<Machine> {
  const wasm = await WebAssembly.compile(
    await readFile(require.resolve("web-tree-sitter/web-tree-sitter.wasm")),
  );
  let machine: Machine | undefined;
  await Parser.init({
    // Emscripten's hook to create the instance oneself; the only way to get hold of its memory and stack pointer.
    instantiateWasm(imports: WasmImports, receive: (instance: object, module: object) => void) {
      machine = machineOf(imports);
      WebAssembly.instantiate(wasm, imports).then((instance) => receive(instance, wasm));
      return {};
    },
  });
  if (!machine) throw new Error("web-tree-sitter was initialised elsewhere in this process");
  return machine;
}

/** Bytes watched at the end of the stack. A frame is far smaller, so none steps over them. */
const GUARD_BYTES = 256;

function machineOf({ env }: WasmImports): Machine {
  const { memory, __stack_pointer: stackPointer, __stack_low: low } = env ?? {};
  if (
    !(memory instanceof WebAssembly.Memory) ||
    !(stackPointer instanceof WebAssembly.Global) ||
    typeof low !== "number"
  )
    throw new Error("web-tree-sitter exposes neither memory nor stack: its build has changed");
  const guard = () => new Uint8Array(memory.buffer, low, GUARD_BYTES);
  return { memory, stackPointer, overflowed: () => guard().some((byte) => byte !== 0) };
}

/**
 * Some 3,000 unclosed `{a:` overflow the parser's 64 KiB stack (ordinary files use 2 KiB). Its static data lies below and
 * the stack pointer stays where it was, so from then on every parse of every file fails, and the library cannot be
 * initialised twice. Hence the memory is put back as it was, which takes milliseconds.
 *
 * @returns sets the machine back to now; what was allocated since is gone
 */
function checkpoint({ memory, stackPointer }: Machine): () => void {
  const now = new Uint8Array(memory.buffer);
  const image = now.slice(0, lengthUsed(now));
  const pointer = stackPointer.value;
  return () => {
    const later = new Uint8Array(memory.buffer);
    later.set(image);
    later.fill(0, image.length);
    stackPointer.value = pointer;
  };
}

/** A loop, because asking a function about each of some thirty million zeros takes a third of a second. */
function lengthUsed(memory: Uint8Array): number {
  let length = memory.length;
  while (length > 0 && memory[length - 1] === 0) length--;
  return length;
}
