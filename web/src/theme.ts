/** Light or dark: as the system has it, unless somebody chose. */
import { computed, effect, signal } from "@preact/signals";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const KEY = "dhi.theme";
const systemDark = matchMedia("(prefers-color-scheme: dark)");
const isSystemDark = signal(systemDark.matches);
systemDark.addEventListener("change", ({ matches }) => {
  isSystemDark.value = matches;
});

export const theme = signal<Theme>(themes.find((known) => known === localStorage.getItem(KEY)) ?? "system");
export const isDark = computed(() =>
  theme.value === "system" ? isSystemDark.value : theme.value === "dark",
);

effect(() => {
  localStorage.setItem(KEY, theme.value);
  document.documentElement.dataset.theme = theme.value;
});
