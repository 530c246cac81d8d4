/** What may be wider than its place scrolls in there, also by the keyboard. */
import type { ComponentChildren } from "preact";

export interface WideProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

export function Wide({ label, children }: WideProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section class="wide" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
