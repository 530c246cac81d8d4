/** Everything in a file that an expression can begin with, and the types that it has. */
import ts from "typescript";
import type { NameFacts, NameKind } from "./facts.ts";
import type { Places } from "./place.ts";
import { onlyCalled, type TypeCollector } from "./type-collector.ts";
import { signatureOf, typeText } from "./type-text.ts";

export interface NamesDeps {
  readonly checker: ts.TypeChecker;
  readonly places: Places;
  readonly types: TypeCollector;
}

const MAX_NAMES = 2_000;

/** @returns in the order of the file, at most {@link MAX_NAMES} */
export function namesIn(file: ts.SourceFile, { checker, places, types }: NamesDeps): NameFacts[] {
  const names: NameFacts[] = [];
  const lineAt = (offset: number) => ts.getLineAndCharacterOfPosition(file, offset).line + 1;

  function visit(node: ts.Node): void {
    if (names.length >= MAX_NAMES) return;
    const identifier = declaredName(node);
    if (identifier) add(identifier, node);
    if (ts.isClassLike(node)) addThis(node);
    ts.forEachChild(node, visit);
  }

  function add(identifier: ts.Identifier, node: ts.Node): void {
    const own = checker.getSymbolAtLocation(identifier);
    if (!own) return;
    const symbol = own.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(own) : own;
    const isValue = (symbol.flags & ts.SymbolFlags.Value) !== 0;
    const type = isValue
      ? checker.getTypeOfSymbolAtLocation(symbol, identifier)
      : checker.getDeclaredTypeOfSymbol(symbol);
    const call = isValue ? onlyCalled(checker, type) : undefined;
    const name = identifier.text;
    const isNew = own !== symbol || !ts.isVariableDeclaration(node) || call !== undefined;
    const signature = isNew ? signatureOf(checker, places, { name, symbol }) : undefined;
    const kind = call ? "function" : kindOf(symbol, node);
    push(
      { name, kind, type, named: call ? call.getReturnType() : type, signature },
      identifier,
      scopeOf(node),
    );
  }

  function addThis(node: ts.ClassLikeDeclaration): void {
    const declared = checker.getTypeAtLocation(node);
    // Of a class that is an expression, that is the type of the value.
    const type = ts.isClassDeclaration(node)
      ? declared
      : declared.getConstructSignatures()[0]?.getReturnType();
    if (type) push({ name: "this", kind: "this", type, named: type, signature: undefined }, node, node);
  }

  function push({ name, kind, type, named, signature }: Named, at: ts.Node, scope: ts.Node): void {
    const typeKey = types.keyOf(named);
    names.push({
      ...{ name, kind, line: lineAt(at.getStart(file)), endLine: lineAt(scope.end) },
      type: typeText(checker, places, type),
      ...(typeKey !== undefined && { typeKey }),
      ...(signature !== undefined && { signature }),
    });
  }

  visit(file);
  return names;
}

interface Named {
  readonly name: string;
  readonly kind: NameKind;
  readonly type: ts.Type;
  /** Whose members are meant. */
  readonly named: ts.Type;
  readonly signature: string | undefined;
}

function declaredName(node: ts.Node): ts.Identifier | undefined {
  if (ts.isParameter(node) && !("body" in node.parent && node.parent.body)) return undefined;
  const isDeclaration =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isModuleDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isImportClause(node) ||
    ts.isImportSpecifier(node) ||
    ts.isNamespaceImport(node) ||
    ts.isImportEqualsDeclaration(node);
  return isDeclaration && node.name && ts.isIdentifier(node.name) && node.name.text ? node.name : undefined;
}

function kindOf({ flags }: ts.Symbol, node: ts.Node): NameKind {
  const { SymbolFlags } = ts;
  if (ts.isParameter(node)) return "parameter";
  if (flags & SymbolFlags.Class) return "class";
  if (flags & SymbolFlags.Enum) return "enum";
  if (flags & (SymbolFlags.ValueModule | SymbolFlags.NamespaceModule)) return "namespace";
  if (flags & SymbolFlags.Value) return "variable";
  return flags & SymbolFlags.Interface ? "interface" : "type";
}

/** The innermost block, function or file around a declaration. */
function scopeOf(node: ts.Node): ts.Node {
  const isScope = (n: ts.Node) =>
    ts.isBlock(n) ||
    ts.isFunctionLike(n) ||
    ts.isSourceFile(n) ||
    ts.isModuleBlock(n) ||
    ts.isCaseBlock(n) ||
    ts.isForStatement(n) ||
    ts.isForInStatement(n) ||
    ts.isForOfStatement(n) ||
    ts.isCatchClause(n);
  return ts.findAncestor(node.parent, isScope) ?? node.getSourceFile();
}
