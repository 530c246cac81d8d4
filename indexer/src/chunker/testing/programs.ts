/** Random programs of known content: what the chunker must find in them is known without parsing them. */
import fc from "fast-check";

export interface Program {
  readonly path: string;
  readonly text: string;
  /** Every definition as `container.name`, in the order of the text. */
  readonly names: readonly string[];
}

interface FunctionPlan {
  readonly kind: "function";
  readonly doc: boolean;
  readonly decorated: boolean;
  /** Of some 20 characters each: up to 90 fit into one chunk. */
  readonly statements: number;
}
interface ClassPlan {
  readonly kind: "class";
  readonly doc: boolean;
  readonly decorated: boolean;
  readonly members: readonly FunctionPlan[];
}
interface OtherPlan {
  readonly kind: "variable" | "comment" | "blank";
}
type Plan = FunctionPlan | ClassPlan | OtherPlan;

export const LANGUAGES = ["py", "ts", "js", "go", "rs", "java"] as const;

export function programs(language: (typeof LANGUAGES)[number]): fc.Arbitrary<Program> {
  const writer = writers[language];
  return fc.array(plan, { minLength: 1, maxLength: 8 }).map((plans) => {
    const names: string[] = [];
    const bodies = plans.map((one, i) => write(writer, one, i, names));
    const inside = writer.wholeFile ? names.map((name) => `Main.${name}`) : names;
    const text = writer.wholeFile ? writer.wholeFile(bodies.join("")) : bodies.join("");
    return { path: `Main.${language}`, text, names: writer.wholeFile ? ["Main", ...inside] : names };
  });
}

const statements = fc.oneof({ weight: 4, arbitrary: fc.nat(30) }, { weight: 1, arbitrary: fc.nat(180) });
const functionPlan: fc.Arbitrary<FunctionPlan> = fc.record({
  kind: fc.constant("function"),
  doc: fc.boolean(),
  decorated: fc.boolean(),
  statements,
});
const plan: fc.Arbitrary<Plan> = fc.oneof(
  functionPlan,
  fc.record({
    kind: fc.constant("class" as const),
    doc: fc.boolean(),
    decorated: fc.boolean(),
    members: fc.array(functionPlan, { minLength: 1, maxLength: 5 }),
  }),
  fc.record({ kind: fc.constantFrom("variable" as const, "comment" as const, "blank" as const) }),
);

interface Writer {
  readonly comment: string;
  readonly decorator: (name: string) => string;
  readonly variable: (name: string) => string;
  readonly statement: (i: number) => string;
  readonly function: (name: string, body: string, owner: string | undefined) => string;
  /** `members` as `function` wrote them. */
  readonly class: (name: string, members: string) => string;
  /** When nothing may stand outside a class. */
  readonly wholeFile?: (body: string) => string;
}

function write(writer: Writer, one: Plan, i: number, names: string[]): string {
  const notes = (plan: FunctionPlan | ClassPlan, name: string) =>
    (plan.doc ? `${writer.comment} ${name} says what it is for.\n` : "") +
    (plan.decorated ? writer.decorator(name) : "");
  const writeFunction = (plan: FunctionPlan, name: string, owner?: string) => {
    names.push(owner ? `${owner}.${name}` : name);
    const body = Array.from({ length: plan.statements }, (_, n) => `${writer.statement(n)}\n`).join("");
    return `${notes(plan, name)}${writer.function(name, indent(body), owner)}`;
  };
  switch (one.kind) {
    case "function":
      return `${writeFunction(one, `run${i}`)}\n`;
    case "class": {
      names.push(`Class${i}`);
      const members = one.members.map((member, n) => writeFunction(member, `method${n}`, `Class${i}`));
      return `${notes(one, `Class${i}`)}${writer.class(`Class${i}`, members.join("\n"))}\n`;
    }
    case "variable":
      names.push(`value${i}`);
      return `${writer.variable(`value${i}`)}\n`;
    case "comment":
      return `${writer.comment} Section ${i}.\n\n`;
    case "blank":
      return "\n\n";
  }
}

const indent = (text: string): string => text.replace(/^(?=.)/gm, "    ");

const typescript: Writer = {
  comment: "//",
  decorator: () => "/** Marked. */\n",
  variable: (name) => `export const ${name} = { key: [1, 2] };`,
  statement: (i) => (i % 7 === 3 ? `if (ready${i}) { call(${i}); }` : `touch(argument${100 + i});`),
  function: (name, body, owner) =>
    `${owner ? "async" : "export function"} ${name}(first = {}, ...rest) {\n${body}}\n`,
  class: (name, members) => `export class ${name} extends Base {\n${indent(members)}}\n`,
};

const writers: Readonly<Record<(typeof LANGUAGES)[number], Writer>> = {
  ts: {
    ...typescript,
    decorator: (name) => (name.startsWith("run") ? "/** Marked. */\n" : `@Mark({ name: "${name}" })\n`),
  },
  js: typescript,
  py: {
    comment: "#",
    decorator: (name) => `@mark(name="${name}")\n`,
    variable: (name) => `${name}: list[int] = [1, 2]`,
    statement: (i) => (i % 7 === 3 ? `if ready${i}:\n    call(${i})` : `touch(argument_${100 + i})`),
    function: (name, body) => `async def ${name}(first: int = 1, *rest) -> None:\n${body || "    pass\n"}`,
    class: (name, members) => `class ${name}(Base):\n${indent(members)}`,
  },
  go: {
    comment: "//",
    decorator: () => "//go:noinline\n",
    variable: (name) => `var ${name} = []int{1, 2}`,
    statement: (i) => (i % 7 === 3 ? `if ready(${i}) {\n    call(${i})\n}` : `touch(argument${100 + i})`),
    function: (name, body, owner) =>
      `func ${owner ? `(r *${owner}) ` : ""}${name}(first int, rest ...string) error {\n${body}}\n`,
    class: (name, members) => `type ${name} struct {\n    items []string\n}\n\n${members}`,
  },
  rs: {
    comment: "///",
    decorator: () => "#[allow(dead_code)]\n",
    variable: (name) => `pub static ${name}: [u8; 2] = [1, 2];`,
    statement: (i) => (i % 7 === 3 ? `if ready(${i}) { call(${i}); }` : `touch(argument_${100 + i});`),
    function: (name, body) => `pub fn ${name}<T: Clone>(first: &T, rest: Vec<u8>) -> u8 {\n${body}    1\n}\n`,
    class: (name, members) => `pub struct ${name} { items: u8 }\n\nimpl ${name} {\n${indent(members)}}\n`,
  },
  java: {
    comment: "//",
    decorator: (name) => `@Mark(name = "${name}")\n`,
    variable: (name) => `static final int[] ${name} = {1, 2};`,
    statement: (i) => (i % 7 === 3 ? `if (ready${i}) { call(${i}); }` : `touch(argument${100 + i});`),
    function: (name, body) => `public static void ${name}(int first, String... rest) {\n${body}}\n`,
    class: (name, members) => `static class ${name} extends Base {\n${indent(members)}}\n`,
    wholeFile: (body) => `class Main {\n${indent(body)}}\n`,
  },
};
