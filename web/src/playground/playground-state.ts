/** What the playground shows: the open file, what is asked for, and what became of it. */
import type { FileResponse } from "@dhi/core/files-protocol";
import type { ContextMode, EngineName, FimDone, FimRequestInput } from "@dhi/core/protocol";
import { signal } from "@preact/signals";

export interface OpenFile extends FileResponse {
  readonly workspace: string | undefined;
  /** Where the cursor is to be, 1-based; `undefined`: where it was, or at the start. */
  readonly line?: number | undefined;
  /** It changed on the disk while it was open; nobody asked to see it. */
  readonly isReadAgain?: true;
}

export const openFile = signal<OpenFile | undefined>(undefined);
/** Names a file among those of all workspaces. */
export const fileKey = ({ workspace, path }: Pick<OpenFile, "workspace" | "path">): string =>
  JSON.stringify([workspace, path]);

/** Keys of files that hold something else than when they were opened. */
export const edited = signal<ReadonlySet<string>>(new Set());

/** Why one could not be opened; until something newer is to be said. */
export const openProblem = signal<string | undefined>(undefined);

/** `undefined`: as the server is set up. */
export const mode = signal<ContextMode | undefined>(undefined);
export const engine = signal<EngineName | undefined>(undefined);

export type Outcome =
  | {
      readonly kind: "answered";
      readonly request: FimRequestInput;
      readonly answer: FimDone;
      /** From the request's leaving to the answer, in milliseconds; and how long it had been held back before. */
      readonly ms: number;
      readonly debounceMs: number;
    }
  | {
      readonly kind: "failed";
      readonly request: FimRequestInput;
      readonly message: string;
      readonly hint?: string;
    };

/** The last request that was answered, or that failed. */
export const outcome = signal<Outcome | undefined>(undefined);
/** Requests under way. */
export const loading = signal(0);
/** Who asked for the ghost text that shows; `undefined` while none does. The rest of its answer may be still to come. */
export const shown = signal<FimRequestInput | undefined>(undefined);
/** The ghost text that shows was asked for earlier, and goes on. */
export const isReused = signal(false);

export interface Cursor {
  /** 1-based. */
  readonly line: number;
  readonly column: number;
}
export const cursor = signal<Cursor>({ line: 1, column: 1 });

export interface EditorHandle {
  /** The code around the cursor, as a request has it; `undefined` without a file. */
  requestHere(): FimRequestInput | undefined;
  /** Forgets what was typed in the open file. */
  discard(): void;
}
/** `undefined` until it is loaded. */
export const editor = signal<EditorHandle | undefined>(undefined);
