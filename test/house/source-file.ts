import { parseSync, Visitor, type Node } from "oxc-parser";

export interface SourceImport {
  /** The specifier as the source has it. */
  readonly specifier: string;
  readonly isType: boolean;
}

export interface SourceFunction {
  /** The name of the function, or of what it is assigned or passed to. `(anonymous)` if there is no such name. */
  readonly name: string;
  readonly lines: number;
}

export interface SourceFile {
  /** The path relative to the repository's root. */
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly SourceImport[];
  readonly functions: readonly SourceFunction[];
}

/** Reads from one file everything that the rules of test/house check. */
export function readSource(path: string, source: string): SourceFile {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new SyntaxError(`${path} cannot be read: ${errors[0]?.message}`);
  const imports: SourceImport[] = [];
  const functions: SourceFunction[] = [];
  const namesOf = new Map<Node, string>();
  const take = (from: Node | null, isType: boolean): void => {
    if (from?.type === "Literal" && typeof from.value === "string")
      imports.push({ specifier: from.value, isType });
  };
  const name = (node: Node | null | undefined, text: string): void => {
    if (node !== null && node !== undefined) namesOf.set(node, text);
  };
  const text = ({ start, end }: Node): string => source.slice(start, end);
  const measure = (node: Node, own: string | undefined): void => {
    functions.push({ name: own ?? namesOf.get(node) ?? "(anonymous)", lines: linesOf(text(node)) });
  };
  new Visitor({
    ImportDeclaration: ({ source: from, importKind, specifiers }) =>
      take(from, importKind === "type" || areTypes(specifiers)),
    ExportNamedDeclaration: ({ source: from, exportKind, specifiers }) =>
      take(from, exportKind === "type" || areTypes(specifiers)),
    ExportAllDeclaration: ({ source: from, exportKind }) => take(from, exportKind === "type"),
    ImportExpression: ({ source: from }) => take(from, false),
    TSImportType: ({ source: from }) => take(from, true),
    VariableDeclarator: ({ id, init }) => name(init, text(id)),
    AssignmentExpression: ({ left, right }) => name(right, text(left)),
    Property: ({ key, value }) => name(value, text(key)),
    PropertyDefinition: ({ key, value }) => name(value, text(key)),
    MethodDefinition: ({ key, value }) => name(value, text(key)),
    CallExpression: ({ callee, arguments: given }) => {
      for (const argument of given) name(argument, `${text(callee)}(…)`);
    },
    FunctionDeclaration: (node) => measure(node, node.id?.name),
    FunctionExpression: (node) => measure(node, node.id?.name),
    ArrowFunctionExpression: (node) => measure(node, undefined),
  }).visit(program);
  return { path, lines: linesOf(source.replace(/\n$/, "")), imports, functions };
}

const linesOf = (text: string): number => text.split("\n").length;

/** True for `import { type A, type B }`, which does not exist at run time. */
function areTypes(specifiers: readonly Node[]): boolean {
  return (
    specifiers.length > 0 &&
    specifiers.every(
      (one) =>
        (one.type === "ImportSpecifier" && one.importKind === "type") ||
        (one.type === "ExportSpecifier" && one.exportKind === "type"),
    )
  );
}
