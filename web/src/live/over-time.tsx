/** How the last minutes went: a bar for each moment, one hop at a time. */
import { signal } from "@preact/signals";
import { Choice } from "../parts/choice.tsx";
import { hopWords } from "./hop-words.ts";
import { EVERY_MS, type Hop, hops, KEPT, moments } from "./live-figures.ts";
import { longest, momentWords } from "./moment-words.ts";

const hop = signal<Hop>("total");

const HEIGHT = 64;
/** Of a moment, with the gap behind it. */
const WIDTH = 4;

export function OverTime() {
  const shown = moments.value.map(({ times }) => times.get(hop.value));
  const highest = longest(moments.value, hop.value);
  const words = momentWords(moments.value, hop.value);
  const heightOf = (ms: number) => (highest ? Math.max(2, (ms / highest) * HEIGHT) : 0);
  return (
    <figure class="over-time">
      <figcaption>
        <span class="hint">{words}</span>
        <Choice
          label="Hop"
          values={hops.map((value) => ({ value, text: hopWords(value) }))}
          chosen={hop.value}
          onChoose={(value) => {
            hop.value = value;
          }}
        />
      </figcaption>
      <svg
        viewBox={`0 0 ${KEPT * WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${hopWords(hop.value)}: ${words}`}
      >
        {shown.map((time, i) => {
          if (!time) return null;
          const x = (KEPT - shown.length + i) * WIDTH;
          return (
            <g key={i}>
              <Bar class="p95" x={x} height={heightOf(time.p95)} />
              <Bar class="p50" x={x} height={heightOf(time.p50)} />
            </g>
          );
        })}
      </svg>
      <div class="axis hint" aria-hidden="true">
        <span>{(KEPT * EVERY_MS) / 60_000} min ago</span>
        <span>
          <i class="key p50" /> half within <i class="key p95" /> 95 % within
        </span>
        <span>now</span>
      </div>
    </figure>
  );
}

interface BarProps {
  readonly class: string;
  readonly x: number;
  readonly height: number;
}

const Bar = ({ class: name, x, height }: BarProps) => (
  <rect class={name} x={x} y={HEIGHT - height} width={WIDTH - 1} height={height} />
);
