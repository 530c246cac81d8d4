/** Which files of the workspace a file imports, so that it can be looked at again when they change. */
import { posix } from "node:path";
import ts from "typescript";
import { realName } from "./component.ts";
import type { Places } from "./place.ts";
import { withoutExtension } from "./without-extension.ts";

/** @returns see `FileFacts.imports` */
export function importsOf(
  file: ts.SourceFile,
  checker: ts.TypeChecker,
  root: string,
  places: Places,
): string[] {
  const found = file.statements.flatMap(specifiersIn).flatMap((specifier) => {
    const module = checker.getSymbolAtLocation(specifier)?.declarations?.[0];
    if (module) return places.workspacePath(module.getSourceFile().fileName) ?? [];
    if (!specifier.text.startsWith(".")) return [];
    const target = posix.join(posix.dirname(realName(file.fileName)), specifier.text);
    return withoutExtension(posix.relative(root, target));
  });
  return [...new Set(found)];
}

function specifiersIn(statement: ts.Statement): ts.StringLiteralLike[] {
  if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement))
    return statement.moduleSpecifier && ts.isStringLiteralLike(statement.moduleSpecifier)
      ? [statement.moduleSpecifier]
      : [];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ initializer }) => requiredBy(initializer) ?? []);
}

/** `require("./m")`, also with a property of it. */
function requiredBy(value: ts.Expression | undefined): ts.StringLiteralLike | undefined {
  if (value && ts.isPropertyAccessExpression(value)) return requiredBy(value.expression);
  if (!value || !ts.isCallExpression(value) || value.expression.getText() !== "require") return undefined;
  const [argument] = value.arguments;
  return argument && ts.isStringLiteralLike(argument) ? argument : undefined;
}
