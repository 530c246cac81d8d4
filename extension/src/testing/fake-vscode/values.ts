/** What the `vscode` module hands around: places, addresses, events, constants. */

type Listener<T> = (event: T) => unknown;

export class Disposable {
  readonly dispose: () => void;
  constructor(dispose: () => void) {
    this.dispose = dispose;
  }
  static from(...all: { dispose(): void }[]): Disposable {
    return new Disposable(() => {
      for (const one of all) one.dispose();
    });
  }
}

/** As `onDid…` says what happens; `fire` makes it happen. */
export function eventOf<T>() {
  const listeners = new Set<Listener<T>>();
  const on = (listener: Listener<T>) => {
    listeners.add(listener);
    return new Disposable(() => listeners.delete(listener));
  };
  const fire = (event: T) => {
    for (const listener of [...listeners]) listener(event);
  };
  return { on, fire, listeners };
}

export class Position {
  readonly line: number;
  readonly character: number;
  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
  isEqual(other: Position): boolean {
    return this.line === other.line && this.character === other.character;
  }
  translate(lines: number, characters: number): Position {
    return new Position(this.line + lines, this.character + characters);
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(start: Position, end: Position) {
    this.start = start;
    this.end = end;
  }
}

export class Uri {
  readonly scheme: string;
  readonly path: string;
  readonly fragment: string;
  constructor(scheme: string, path: string, fragment = "") {
    this.scheme = scheme;
    this.path = path;
    this.fragment = fragment;
  }
  static file = (path: string): Uri => new Uri("file", path);
  static parse(text: string): Uri {
    const [, scheme = "", path = "", fragment = ""] = /^([^:]*):([^#]*)#(.*)$/.exec(text) ?? [];
    return new Uri(scheme, path, fragment);
  }
  get fsPath(): string {
    return this.path;
  }
  toString(): string {
    return `${this.scheme}:${this.path}#${this.fragment}`;
  }
}

export class InlineCompletionItem {
  readonly insertText: string;
  readonly range: Range;
  constructor(insertText: string, range: Range) {
    this.insertText = insertText;
    this.range = range;
  }
}
export const InlineCompletionTriggerKind = { Invoke: 0, Automatic: 1 } as const;
export const EndOfLine = { LF: 1, CRLF: 2 } as const;
export const ConfigurationTarget = { Global: 1, Workspace: 2 } as const;
export const ProgressLocation = { Window: 10, Notification: 15 } as const;
export class TabInputText {
  readonly uri: Uri;
  constructor(uri: Uri) {
    this.uri = uri;
  }
}
export class CancellationTokenSource {
  readonly #cancelled = eventOf<void>();
  readonly token = {
    isCancellationRequested: false,
    onCancellationRequested: this.#cancelled.on,
  };
  cancel(): void {
    if (this.token.isCancellationRequested) return;
    this.token.isCancellationRequested = true;
    this.#cancelled.fire();
  }
}
