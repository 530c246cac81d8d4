/** When a client asks the engine, and what it draws: ours, and those that peers published. */

export interface Editor {
  readonly path: string;
  readonly prefix: string;
  readonly suffix: string;
}

export interface Policy {
  /** After each change of the text, and each move of the cursor. */
  changed(editor: Editor, why: "typed" | "accepted" | "moved"): void;
  close(): Promise<void>;
}

export interface PolicyDeps {
  /** Draws ghost text at the cursor; `""` takes it away. Only for the text as it is now: late ones are the policy's to hold back. A preview may be replaced. */
  readonly draw: (text: string, isPreview?: boolean) => void;
  /** To be called with what stands left of the cursor when something is asked that takes the place of older requests. */
  readonly asking: (prefix: string) => void;
  /** Milliseconds of the real clock for one of the policy's: benches run faster than people type. */
  readonly scale: number;
  readonly engineUrl: string;
  readonly model: string;
}

export interface NamedPolicy {
  readonly name: string;
  /** Where its figures come from. */
  readonly source: string;
  readonly start: (deps: PolicyDeps) => Promise<Policy>;
}
