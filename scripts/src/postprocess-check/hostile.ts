/** What models write that they should not, made from what they should have written. */
import type { Random } from "../bench/random.ts";
import type { CodeCursor } from "./cursors.ts";

export interface Output {
  readonly text: string;
  /** Of the cursor and file, which may have been given other line ends. */
  readonly cursor: CodeCursor;
}

export interface Hostile {
  readonly make: (cursor: CodeCursor, random: Random) => string;
  /**
   * What a parser can say of the file after accepting. `tree`: the fault is one that can be cut off, so no error may come
   * of it. `code`: the fault is in the middle, where nobody can say what the right tree were; what stands right of the
   * cursor must still be code. `nothing`: with arbitrary text not even that.
   */
  readonly judge: "tree" | "code" | "nothing";
  /** In a string or comment it is no fault. */
  readonly inCode?: true;
  /** The file gets CRLF first. */
  readonly crlf?: true;
}

const KEYS = [
  `AKIA${"QRSTUVWXYZ234567"}`,
  `ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"}`,
  `xoxb-${"123456789012-abcdefABCDEF"}`,
  `AIza${"SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q"}`,
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlc2lnbg",
  "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq0\n",
];

const commentMark = ({ languageId }: CodeCursor): string => (languageId === "python" ? "#" : "//");

/** Others would be operators, or nothing the language has. */
const quotesOf = (languageId: string): readonly string[] =>
  ({ python: ['"', "'", '"""'], rust: ['"', "/*"], java: ['"', "'", "/*"] })[languageId] ?? [
    '"',
    "'",
    "`",
    "/*",
  ];

export const hostiles: Readonly<Record<string, Hostile>> = {
  truth: { judge: "tree", make: ({ truth }) => truth },
  truncated: { judge: "tree", make: ({ truth }, random) => truth.slice(0, random.below(truth.length) + 1) },
  "overlap with the suffix": {
    judge: "tree",
    make: ({ truth, suffix }, random) => truth + suffix.slice(0, 1 + random.below(200)),
  },
  "overlap with whole lines": {
    judge: "tree",
    make: ({ truth, suffix }, random) =>
      truth +
      suffix
        .split("\n")
        .slice(0, 1 + random.below(6))
        .join("\n"),
  },
  "closing brackets": {
    judge: "tree",
    inCode: true,
    make: ({ truth }, random) => truth + closers(random),
  },
  "closing brackets inside": {
    judge: "code",
    make: ({ truth }, random) => insert(truth, closers(random), random),
  },
  "opening brackets": {
    judge: "code",
    make: ({ truth }, random) => truth + random.pick(["(", "[", "{", "({", "f("]),
  },
  "a quote": {
    judge: "tree",
    make: ({ truth, languageId }, random) => truth + random.pick(quotesOf(languageId)),
  },
  "a quote inside": {
    judge: "nothing",
    make: ({ truth, languageId }, random) => insert(truth, random.pick(quotesOf(languageId)), random),
  },
  "a comment mark inside": {
    judge: "code",
    make: ({ truth, languageId }, random) =>
      insert(truth, languageId === "python" ? '"""' : random.pick(["/*", "*/"]), random),
  },
  "a quote less": { judge: "nothing", make: ({ truth }) => truth.replace(/["'`]/, "") },
  "repeated lines": {
    judge: "nothing",
    make({ truth }, random) {
      const last = truth.split("\n").at(-1) ?? "";
      return truth + `\n${last}`.repeat(2 + random.below(8));
    },
  },
  "repeated blocks": {
    judge: "nothing",
    make: ({ truth }, random) => `${truth}\n`.repeat(2 + random.below(6)),
  },
  "a repeated period": {
    judge: "nothing",
    make: ({ truth }, random) => truth + truth.slice(-(3 + random.below(30))).repeat(3 + random.below(20)),
  },
  garbage: {
    judge: "nothing",
    make: ({ truth }, random) =>
      truth +
      Array.from({ length: 1 + random.below(30) }, () => random.pick(GARBAGE)).join(random.pick(["", " "])),
  },
  "other indentation": {
    judge: "tree",
    make({ truth }, random) {
      const change = random.pick<(indent: string) => string>([
        (indent) => indent.replace(/ {4}| {2}/g, "\t"),
        (indent) => indent.replace(/\t/g, "    "),
        (indent) => indent.replace(/ {4}/g, "  "),
        (indent) => indent.replace(/ {2}/g, "    "),
        (indent) => `${indent}  `,
        (indent) => indent.slice(1),
      ]);
      return truth.replace(/(?<=\n)[^\S\n]+/g, change);
    },
  },
  "indentation once more": {
    judge: "tree",
    make: ({ truth, prefix }) => (/(?:^|\n)([^\S\n]*)$/.exec(prefix)?.[1] ?? "") + truth,
  },
  "mixed line ends": {
    judge: "tree",
    make: ({ truth }, random) => truth.replace(/\n/g, () => random.pick(["\n", "\r\n", "\r"])),
  },
  "a file with CRLF": { judge: "tree", crlf: true, make: ({ truth }) => truth.replaceAll("\r\n", "\n") },
  "a file with CRLF, and overlap": {
    judge: "tree",
    crlf: true,
    make: ({ truth, suffix }, random) => truth + suffix.slice(0, 1 + random.below(100)),
  },
  sentinels: {
    judge: "tree",
    make: ({ truth }, random) =>
      truth +
      random.pick([
        "<|fim_middle|>",
        "<|endoftext|>x",
        "<|file_sep|>a.py\nx",
        "<|im_end|>",
        "<|fim_pre",
        "＜|fim_suffix|>y",
      ]),
  },
  "a sentinel inside": {
    judge: "tree",
    make: ({ truth }, random) =>
      insert(truth, random.pick(["<|fim_pad|>", "<|endoftext|>", "<|assistant|>"]), random),
  },
  "prompt headers": {
    judge: "tree",
    make: (cursor, random) =>
      `${cursor.truth}\n${commentMark(cursor)} ${random.pick(["the below code fragment can be found in:", "lib/other.ts"])}\n${commentMark(cursor)} x`,
  },
  "a fence": {
    inCode: true,
    judge: "tree",
    make: ({ truth, languageId }) => `\`\`\`${languageId}\n${truth}\n\`\`\`\nThis completes it.`,
  },
  "talk and a fence": {
    inCode: true,
    judge: "tree",
    make: ({ truth, languageId }) => `Sure, here is the code:\n\n\`\`\`${languageId}\n${truth}\n\`\`\``,
  },
  talk: { inCode: true, judge: "tree", make: ({ truth }) => `Here is the completed code for you:\n${truth}` },
  "a fence behind": {
    inCode: true,
    judge: "tree",
    make: ({ truth }) => `${truth}\n\`\`\`\nThis function adds.`,
  },
  secrets: {
    judge: "code",
    make: ({ truth }, random) => `${truth}\nconst apiKey = "${random.pick(KEYS)}";`,
  },
  "a random secret": {
    judge: "code",
    make: ({ truth }, random) =>
      `${truth} token = "${Array.from({ length: 40 }, () => random.pick([..."abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"])).join("")}"`,
  },
  unicode: {
    judge: "nothing",
    make: ({ truth }, random) =>
      insert(
        truth,
        random.pick(["👩‍👩‍👧‍👦", "\ud83d", "\ude00", "\ufffd", "\0", "é\u0301", "\u200d", "＂"]),
        random,
      ),
  },
  "cut in a character": {
    judge: "tree",
    make: ({ truth }, random) => truth + random.pick(["\ud83d", "\ufffd\ufffd", "\0abc"]),
  },
  "a line of 100 kB": {
    judge: "nothing",
    make: ({ truth }, random) => truth + random.pick(["x", "(a, ", "a0 + "]).repeat(100_000 / 3),
  },
};

const GARBAGE = [
  ..."(){}[]\"'`;,.:=<>/*#@!\\",
  ...[
    "\n",
    "\n    ",
    "\n\t",
    "foo",
    "return",
    "if",
    "else:",
    "0",
    "def f():",
    "</div>",
    "*/",
    '"""',
    "${",
    "=>",
    "😀",
  ],
];

const closers = (random: Random): string =>
  Array.from({ length: 1 + random.below(3) }, () => random.pick([")", "]", "}", "\n}", "})"])).join("");

function insert(text: string, what: string, random: Random): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + what + text.slice(at);
}
