/** Tabs as the ARIA pattern has them: arrow keys go from one to the next. */
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";

export interface TabsProps<Name extends string> {
  readonly label: string;
  readonly names: readonly Name[];
  readonly chosen: Signal<Name>;
  readonly children: ComponentChildren;
}

export function Tabs<Name extends string>({ label, names, chosen, children }: TabsProps<Name>) {
  function keyDown(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = (names.indexOf(chosen.peek()) + step + names.length) % names.length;
    chosen.value = names[at] ?? chosen.peek();
    document.getElementById(tabId(label, chosen.peek()))?.focus();
    event.preventDefault();
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={keyDown}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={tabId(label, name)}
            aria-selected={name === chosen.value}
            aria-controls={`${tabId(label, "")}panel`}
            tabIndex={name === chosen.value ? 0 : -1}
            onClick={() => {
              chosen.value = name;
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <div
        class="panel"
        role="tabpanel"
        id={`${tabId(label, "")}panel`}
        aria-labelledby={tabId(label, chosen.value)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        tabIndex={0}
      >
        {children}
      </div>
    </>
  );
}

const tabId = (label: string, name: string): string => `${label}-${name}`.toLowerCase().replaceAll(" ", "-");
