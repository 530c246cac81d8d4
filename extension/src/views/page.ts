/** A page of text to read, with links in it. */

export interface Link {
  /** UTF-16 units from the start of the page. */
  readonly start: number;
  readonly end: number;
  readonly target: LinkTarget;
}

export type LinkTarget =
  /** Lines are 1-based; the workspace is left out when the server serves one. */
  | {
      readonly file: { readonly workspace?: string; readonly path: string };
      readonly startLine: number;
      readonly endLine: number;
    }
  | { readonly command: string; readonly arguments?: readonly string[] };

export interface Page {
  readonly text: string;
  readonly links: readonly Link[];
}

export interface PageWriter {
  /** Adds a line. */
  line(text?: string): void;
  /** Adds text that goes on the same line. */
  add(text: string): void;
  link(text: string, target: LinkTarget): void;
  page(): Page;
}

export function pageWriter(): PageWriter {
  let text = "";
  const links: Link[] = [];
  const add = (more: string) => {
    text += more;
  };
  return {
    line: (more = "") => add(`${more}\n`),
    add,
    link(label, target) {
      links.push({ start: text.length, end: text.length + label.length, target });
      add(label);
    },
    page: () => ({ text, links }),
  };
}
