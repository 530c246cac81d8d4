/** Names with a number, the largest first, each with a bar as long as its share. */
import { count } from "../words/format.ts";

export interface ShareBarsProps {
  readonly shares: readonly { readonly name: string; readonly value: number; readonly title?: string }[];
  /** What they are shares of; their sum unless said otherwise. */
  readonly of?: number;
}

export function ShareBars({ shares, of }: ShareBarsProps) {
  const whole = of ?? shares.reduce((sum, { value }) => sum + value, 0);
  return (
    <ul class="shares">
      {shares
        .toSorted((a, b) => b.value - a.value)
        .map(({ name, value, title }) => (
          <li key={name} {...(title && { title })}>
            <span class="name">{name}</span>
            <span class="number">{count(value)}</span>
            <span class="bar" aria-hidden="true" style={{ "--share": whole ? value / whole : 0 }} />
          </li>
        ))}
    </ul>
  );
}
