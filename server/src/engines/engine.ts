/** A model server behind our interface. */
import type { Component, EngineName, FimDone, FimPreview, FimRequest, Usage } from "@dhi/core/protocol";

/**
 * Called with each piece as it arrives; the pieces concatenated are the result's `text`.
 *
 * @param logprobs natural log-probabilities of the piece's tokens; empty or left out when the engine does not tell
 */
export type OnText = (piece: string, logprobs?: readonly number[]) => void;

/** How tokens are drawn. */
export interface Sampling {
  readonly temperature: number;
  /** The same one draws the same text, where the engine knows it. */
  readonly seed: number;
}

export interface GenerateOptions {
  /** Ends the text, and is not part of it. */
  readonly stop: readonly string[];
  readonly maxTokens: number;
  /** GBNF that the text must obey; engines without {@link Engine.obeysGrammar} leave it out. */
  readonly grammar?: string;
  /** Left out: the engine's own, which mostly takes the likeliest token. Engines without a model leave it out. */
  readonly sampling?: Sampling;
  readonly onText?: OnText;
}

export interface Generated {
  readonly text: string;
  readonly finish: Extract<FimDone["finish"], "stop" | "length" | "none">;
  /** The engine failed before the end, so that the last line may be half of one. */
  readonly interrupted?: boolean;
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
  /** Left out: it does not. */
  readonly obeysGrammar?: boolean;
  /** What it does may be billed to somebody: it is asked nothing ahead of who wants it. Left out: it is not. */
  readonly isPaid?: boolean;
  /** Calls that it works on side by side, where and as soon as it tells. */
  readonly slots?: number | undefined;
  /**
   * @throws {UpstreamError} that quotes the upstream
   * @throws AbortError as soon as the signal fires; the upstream is left within 5 ms of it
   */
  generate(input: EngineInput, options: GenerateOptions, signal: AbortSignal): Promise<Generated>;
  /**
   * Left out: it has none.
   *
   * @returns in milliseconds, without a model, what can be drawn until the first text comes; `undefined` for nothing
   */
  preview?(request: FimRequest): Promise<FimPreview | undefined>;
  /** Never throws: what is wrong is in the answer. */
  health(signal: AbortSignal): Promise<Component>;
  /** Loads what the next completion would otherwise wait for; cheap when it is there. Never throws. */
  warmUp(signal: AbortSignal): Promise<void>;
}
