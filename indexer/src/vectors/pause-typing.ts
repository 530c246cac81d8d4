/** Holds back what somebody is typing until a pause: a model need not embed what is another text a moment later. */

export interface PauseTyping {
  changed(path: string): void;
  /** Paths that wait for a pause. */
  waiting(): number;
  close(): void;
}

export interface PauseTypingDeps {
  /** Whether an editor has the path open and not saved. */
  readonly isTyped: (path: string) => boolean;
  /** Gets a path at once, or when it has stood still for so many milliseconds. */
  readonly onStill: (path: string) => void;
  readonly stillMs: number;
}

export function createPauseTyping({ isTyped, onStill, stillMs }: PauseTypingDeps): PauseTyping {
  const timers = new Map<string, NodeJS.Timeout>();
  return {
    changed(path) {
      clearTimeout(timers.get(path));
      timers.delete(path);
      if (stillMs === 0 || !isTyped(path)) return onStill(path);
      const timer = setTimeout(() => {
        timers.delete(path);
        onStill(path);
      }, stillMs);
      timers.set(path, timer);
    },
    waiting: () => timers.size,
    close() {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
