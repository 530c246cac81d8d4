/** A model server behind our interface. */
import type { Component, EngineName, FimDone, FimRequest, Usage } from "@dhi/core/protocol";

export interface GenerateOptions {
  /** Ends the text, and is not part of it. At most 4 reach an engine that takes no more. */
  readonly stop: readonly string[];
  readonly maxTokens: number;
  /** Called with each piece as it arrives; the pieces concatenated are the result's `text`. */
  readonly onText?: (text: string) => void;
}

export interface Generated {
  readonly text: string;
  readonly finish: Extract<FimDone["finish"], "stop" | "length" | "none">;
  readonly usage: Usage;
  /** Mean natural log-probability of the tokens; null when the engine does not tell. */
  readonly meanLogprob: number | null;
  /** 0 to 1, from engines that calibrate it (instant); null otherwise. */
  readonly confidence: number | null;
  /** Milliseconds from the call to the first text; null when there was none. */
  readonly firstTokenMs: number | null;
}

/** What a model sees, and what a model-free engine reads instead. */
export interface EngineInput {
  /** Rendered in the model's own format; sent raw. */
  readonly prompt: string;
  readonly request: FimRequest;
}

export interface Engine {
  readonly name: EngineName;
  /** As the upstream calls it; `instant` has none and says `n-gram`. */
  readonly model: string;
  /** Whether the prompt matters to it; retrieval would be for nothing where it does not. */
  readonly readsPrompt: boolean;
  /**
   * @throws {UpstreamError} that quotes the upstream
   * @throws AbortError as soon as the signal fires; the upstream is left within 5 ms of it
   */
  generate(input: EngineInput, options: GenerateOptions, signal: AbortSignal): Promise<Generated>;
  /** Never throws: what is wrong is in the answer. */
  health(signal: AbortSignal): Promise<Component>;
  /** Loads what the first completion would otherwise wait for. Never throws. */
  warmUp(signal: AbortSignal): Promise<void>;
}
