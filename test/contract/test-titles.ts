import { parseSync, Visitor, type CallExpression } from "oxc-parser";

export interface TestTitle {
  /** Those of the describes around it, then its own; as they stand in the source, `${}` included. */
  readonly titles: readonly string[];
  /** Whether it is a test, or a group with a test in it. */
  readonly hasTest: boolean;
}

const GROUPS: ReadonlySet<string> = new Set(["describe", "suite"]);
const TESTS: ReadonlySet<string> = new Set(["it", "test"]);

/** The titles of a test file that are written as literals; a title from a table of cases is not among them. */
export function testTitles(path: string, source: string): TestTitle[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new SyntaxError(`${path} cannot be read: ${errors[0]?.message}`);
  const found: { titles: readonly string[]; hasTest: boolean; end: number }[] = [];
  /** Those of them that are groups and have not ended. */
  const around: typeof found = [];
  new Visitor({
    CallExpression(call) {
      const name = calledName(call);
      if (name === null) return;
      while ((around.at(-1)?.end ?? Infinity) <= call.start) around.pop();
      const isTest = TESTS.has(name);
      if (isTest) for (const group of around) group.hasTest = true;
      const title = literalText(call.arguments[0], source);
      if (title === null) return;
      const titled = { titles: [...(around.at(-1)?.titles ?? []), title], hasTest: isTest, end: call.end };
      found.push(titled);
      if (!isTest) around.push(titled);
    },
  }).visit(program);
  return found;
}

/** `describe`, or `it` of `it.skip(…)`; null where something else is called. */
function calledName({ callee }: CallExpression): string | null {
  const called = callee.type === "MemberExpression" ? callee.object : callee;
  if (called.type !== "Identifier") return null;
  return GROUPS.has(called.name) || TESTS.has(called.name) ? called.name : null;
}

function literalText(title: CallExpression["arguments"][number] | undefined, source: string): string | null {
  if (title?.type === "Literal" && typeof title.value === "string") return title.value;
  if (title?.type === "TemplateLiteral") return source.slice(title.start + 1, title.end - 1);
  return null;
}

/** The comments of a module. */
export function commentsOf(path: string, source: string): string[] {
  return parseSync(path, source).comments.map(({ value }) => value);
}
