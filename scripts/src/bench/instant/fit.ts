/** Fits the ranker's weights: stochastic gradient descent (Adam, Kingma and Ba 2015) on the log-likelihood. */
import { CANDIDATE_FEATURES, NONE_FEATURES } from "@dhi/server/instant/features";
import { createRandom } from "../random.ts";
import type { Example } from "./examples.ts";

export interface Fit {
  readonly candidate: Float64Array;
  readonly none: Float64Array;
}

export interface FitOptions {
  readonly hidden: number;
  readonly noneHidden: number;
  readonly epochs: number;
  readonly seed: number;
  /** Pull of every weight to 0. */
  readonly decay: number;
}

const BATCH = 64;
const RATE = 0.004;

export function fit(examples: readonly Example[], options: FitOptions): Fit {
  const { hidden, noneHidden, epochs, seed, decay } = options;
  const random = createRandom(seed);
  const layers: [Layer, Layer] = [
    createLayer(CANDIDATE_FEATURES, hidden, random.next),
    createLayer(NONE_FEATURES, noneHidden, random.next),
  ];
  const order = examples.map((_, i) => i);
  const steps = epochs * Math.ceil(examples.length / BATCH);
  let step = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (let i = order.length - 1; i > 0; i--) {
      const j = random.below(i + 1);
      [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
    }
    for (let from = 0; from < order.length; from += BATCH) {
      const batch = order.slice(from, from + BATCH);
      for (const i of batch) {
        const example = examples[i];
        if (example) addGradient(example, layers, 1 / batch.length);
      }
      step++;
      // The rate falls to a hundredth, so that the last examples do not decide.
      for (const layer of layers) update(layer, RATE * (1 - (0.99 * step) / steps), decay, step);
    }
  }
  return { candidate: layers[0].weights, none: layers[1].weights };
}

/** @returns mean log-loss in nats, and how often the likeliest was right */
export function lossOf(
  examples: readonly Example[],
  { candidate, none }: Fit,
): { readonly loss: number; readonly right: number } {
  const layers: [Layer, Layer] = [layerOf(CANDIDATE_FEATURES, candidate), layerOf(NONE_FEATURES, none)];
  let [loss, right] = [0, 0];
  for (const example of examples) {
    const { shares, noneShare } = forward(example, layers);
    loss -= Math.log(Math.max(1e-9, example.right < 0 ? noneShare : (shares[example.right] ?? 0)));
    if (example.right >= 0 && shares[example.right] === Math.max(...shares)) right++;
  }
  return { loss: loss / examples.length, right: right / examples.length };
}

/** @returns the likeliest candidate; `undefined` when there is none */
export function surestIn(
  example: Example,
  { candidate, none }: Fit,
): { readonly index: number; readonly share: number } | undefined {
  const { shares } = forward(example, [layerOf(CANDIDATE_FEATURES, candidate), layerOf(NONE_FEATURES, none)]);
  const share = Math.max(...shares);
  return shares.length === 0 ? undefined : { index: shares.indexOf(share), share };
}

interface Layer {
  readonly inputs: number;
  readonly hidden: number;
  /** As `ranker.ts` reads them. */
  readonly weights: Float64Array;
  readonly gradient: Float64Array;
  readonly mean: Float64Array;
  readonly square: Float64Array;
}

function layerOf(inputs: number, weights: Float64Array): Layer {
  const size = weights.length;
  const zeros = () => new Float64Array(size);
  return {
    inputs,
    hidden: (size - 1) / (inputs + 2),
    weights,
    gradient: zeros(),
    mean: zeros(),
    square: zeros(),
  };
}

function createLayer(inputs: number, hidden: number, next: () => number): Layer {
  const weights = new Float64Array(hidden * (inputs + 2) + 1);
  for (let i = 0; i < weights.length; i++) weights[i] = (next() - 0.5) * (2 / Math.sqrt(inputs));
  return layerOf(inputs, weights);
}

function scoreInto(
  layer: Layer,
  features: Float32Array,
  from: number,
  units: Float64Array,
  at: number,
): number {
  const { inputs, hidden, weights } = layer;
  const sum = hidden * (inputs + 1);
  let result = weights[sum] ?? 0;
  for (let unit = 0; unit < hidden; unit++) {
    const first = unit * (inputs + 1);
    let value = weights[first] ?? 0;
    for (let i = 0; i < inputs; i++) value += (weights[first + 1 + i] ?? 0) * (features[from + i] ?? 0);
    const active = Math.tanh(value);
    units[at + unit] = active;
    result += (weights[sum + 1 + unit] ?? 0) * active;
  }
  return result;
}

function forward({ candidates, none }: Example, [scorer, noneScorer]: [Layer, Layer]) {
  const count = candidates.length / CANDIDATE_FEATURES;
  const units = new Float64Array(count * scorer.hidden);
  const noneUnits = new Float64Array(noneScorer.hidden);
  const shares = new Float64Array(count);
  const noneScore = scoreInto(noneScorer, none, 0, noneUnits, 0);
  let most = noneScore;
  for (let c = 0; c < count; c++) {
    shares[c] = scoreInto(scorer, candidates, c * CANDIDATE_FEATURES, units, c * scorer.hidden);
    most = Math.max(most, shares[c] ?? 0);
  }
  let total = Math.exp(noneScore - most);
  for (let c = 0; c < count; c++) {
    shares[c] = Math.exp((shares[c] ?? 0) - most);
    total += shares[c] ?? 0;
  }
  for (let c = 0; c < count; c++) shares[c] = (shares[c] ?? 0) / total;
  return { shares, noneShare: Math.exp(noneScore - most) / total, units, noneUnits };
}

function addGradient(example: Example, layers: [Layer, Layer], by: number): void {
  const { shares, noneShare, units, noneUnits } = forward(example, layers);
  const [scorer, noneScorer] = layers;
  for (let c = 0; c < shares.length; c++)
    backward(
      scorer,
      example.candidates,
      c * CANDIDATE_FEATURES,
      units,
      c * scorer.hidden,
      ((shares[c] ?? 0) - Number(c === example.right)) * by,
    );
  backward(noneScorer, example.none, 0, noneUnits, 0, (noneShare - Number(example.right < 0)) * by);
}

function backward(
  { inputs, hidden, weights, gradient }: Layer,
  features: Float32Array,
  from: number,
  units: Float64Array,
  at: number,
  slope: number,
): void {
  const sum = hidden * (inputs + 1);
  gradient[sum] = (gradient[sum] ?? 0) + slope;
  for (let unit = 0; unit < hidden; unit++) {
    const active = units[at + unit] ?? 0;
    gradient[sum + 1 + unit] = (gradient[sum + 1 + unit] ?? 0) + slope * active;
    const inner = slope * (weights[sum + 1 + unit] ?? 0) * (1 - active * active);
    const first = unit * (inputs + 1);
    gradient[first] = (gradient[first] ?? 0) + inner;
    for (let i = 0; i < inputs; i++)
      gradient[first + 1 + i] = (gradient[first + 1 + i] ?? 0) + inner * (features[from + i] ?? 0);
  }
}

function update({ weights, gradient, mean, square }: Layer, rate: number, decay: number, step: number): void {
  for (let i = 0; i < weights.length; i++) {
    const slope = (gradient[i] ?? 0) + decay * (weights[i] ?? 0);
    gradient[i] = 0;
    const m = 0.9 * (mean[i] ?? 0) + 0.1 * slope;
    const s = 0.999 * (square[i] ?? 0) + 0.001 * slope * slope;
    mean[i] = m;
    square[i] = s;
    const corrected = m / (1 - 0.9 ** step);
    weights[i] = (weights[i] ?? 0) - (rate * corrected) / (Math.sqrt(s / (1 - 0.999 ** step)) + 1e-8);
  }
}
