/** Types and declarations in one line, as a person would write them. */
import ts from "typescript";
import type { Places } from "./place.ts";

/** Without `import("…")` before every name: the names are what is looked for. */
const FLAGS =
  ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope |
  ts.TypeFormatFlags.WriteClassExpressionAsTypeLiteral |
  ts.TypeFormatFlags.NoTypeReduction;

export function typeText(checker: ts.TypeChecker, places: Places, type: ts.Type): string {
  return places.typeText(checker.typeToString(type, undefined, FLAGS));
}

/** `(lines: Line[]): number`, with type parameters before it. */
export function parametersText(checker: ts.TypeChecker, places: Places, signature: ts.Signature): string {
  return places.typeText(checker.signatureToString(signature, undefined, FLAGS));
}

/**
 * `total(lines: Line[]): number`, `class Invoice { constructor(id: string) }`, `interface Line { sku: string; … }`.
 *
 * @param symbol what an imported name stands for, not the import
 * @returns `undefined` for a plain value, whose type says all
 */
export function signatureOf(
  checker: ts.TypeChecker,
  places: Places,
  { name, symbol }: { readonly name: string; readonly symbol: ts.Symbol },
): string | undefined {
  const { flags } = symbol;
  const { SymbolFlags } = ts;
  if (flags & SymbolFlags.Class) return `class ${name}${constructorText()}`;
  if (flags & SymbolFlags.Interface) return places.typeText(`interface ${name} ${propertiesText()}`);
  if (flags & SymbolFlags.TypeAlias) {
    const declared = checker.getDeclaredTypeOfSymbol(symbol);
    const text = checker.typeToString(declared, undefined, FLAGS | ts.TypeFormatFlags.InTypeAlias);
    return places.typeText(`type ${name} = ${text}`);
  }
  if (flags & SymbolFlags.Enum) {
    const members = [...(symbol.exports?.keys() ?? [])].join(", ");
    return places.typeText(`enum ${name} { ${members} }`);
  }
  if (!(flags & SymbolFlags.Value)) return undefined;
  const [call] = checker.getTypeOfSymbol(symbol).getCallSignatures();
  return call && places.typeText(`${name}${parametersText(checker, places, call)}`);

  function constructorText(): string {
    const [make] = checker.getTypeOfSymbol(symbol).getConstructSignatures();
    if (!make?.parameters.length) return "";
    const parameters = parametersText(checker, places, make).replace(/\): [^)]*$/, ")");
    return ` { constructor${parameters} }`;
  }
  function propertiesText(): string {
    const properties = checker.getDeclaredTypeOfSymbol(symbol).getProperties();
    const texts = properties.slice(0, MAX_PROPERTIES).map((property) => {
      const type = checker.getTypeOfSymbol(property);
      return `${property.name}${property.flags & SymbolFlags.Optional ? "?" : ""}: ${typeText(checker, places, type)}`;
    });
    return texts.length ? `{ ${texts.join("; ")} }` : "{}";
  }
}

/** More do not fit on one line. */
const MAX_PROPERTIES = 20;
