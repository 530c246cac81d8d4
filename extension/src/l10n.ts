/** Sentences that users read. Every one goes through `t`, so that a `l10n/bundle.l10n.*.json` can translate it. */

/** `vscode.l10n.t`: the English sentence is the key, `{0}` stands for the first argument. */
export type Translate = (message: string, ...args: (string | number)[]) => string;

/** English, as it stands in the code: tests and everything before `activate` need no editor. */
let translate: Translate = (message, ...args) =>
  message.replace(/\{(\d+)\}/g, (place, index) => String(args[Number(index)] ?? place));

export const t: Translate = (message, ...args) => translate(message, ...args);

/** Called once, by `activate`. */
export function useTranslations(editors: Translate): void {
  translate = editors;
}
