import { parseSync, Visitor, type CallExpression, type StringLiteral } from "oxc-parser";

export interface TestTitle {
  /** The titles of the enclosing groups, and then the title itself, as in the source. `${}` stays as it is. */
  readonly titles: readonly string[];
  /** True for a test, and for a group with a test in it. */
  readonly hasTest: boolean;
}

type Literal = CallExpression["arguments"][number] | StringLiteral;

const GROUPS: ReadonlySet<string> = new Set(["describe", "suite"]);
const TESTS: ReadonlySet<string> = new Set(["it", "test"]);

/** Matches the beginning of a case's name, in a table from which titles are made. */
const CASE = /^[A-Z]{2,5}-[1-9]\d{0,2}(?:, [A-Z]{2,5}-[1-9]\d{0,2})*: /;

/** Lists the literal titles of a test file, and the names of cases that begin with a clause's id. */
export function testTitles(path: string, source: string): TestTitle[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new SyntaxError(`${path} cannot be read: ${errors[0]?.message}`);
  const found: { titles: readonly string[]; hasTest: boolean; end: number }[] = [];
  /** The groups in `found` that enclose the current place. */
  const around: typeof found = [];
  const starts = new Set<number>();
  const takeCase = (name: Literal): void => {
    const text = literalText(name, source);
    if (text === null || starts.has(name.start) || !CASE.test(text)) return;
    while ((around.at(-1)?.end ?? Infinity) <= name.start) around.pop();
    found.push({ titles: [...(around.at(-1)?.titles ?? []), text], hasTest: true, end: name.end });
  };
  new Visitor({
    Literal: takeCase,
    TemplateLiteral: takeCase,
    CallExpression(call) {
      const name = calledName(call);
      if (name === null) return;
      while ((around.at(-1)?.end ?? Infinity) <= call.start) around.pop();
      const isTest = TESTS.has(name);
      if (isTest) for (const group of around) group.hasTest = true;
      const title = literalText(call.arguments[0], source);
      if (title === null) return;
      starts.add(call.arguments[0]?.start ?? -1);
      const titled = { titles: [...(around.at(-1)?.titles ?? []), title], hasTest: isTest, end: call.end };
      found.push(titled);
      if (!isTest) around.push(titled);
    },
  }).visit(program);
  return found;
}

/** Returns the called name if it makes a group or a test, such as `it` for `it.skip(…)`. Otherwise returns null. */
function calledName({ callee }: CallExpression): string | null {
  const called = callee.type === "MemberExpression" ? callee.object : callee;
  if (called.type !== "Identifier") return null;
  return GROUPS.has(called.name) || TESTS.has(called.name) ? called.name : null;
}

/** The text between the quotes. */
function literalText(title: Literal | undefined, source: string): string | null {
  if (title?.type === "Literal" && typeof title.value === "string") return title.value;
  if (title?.type === "TemplateLiteral") return source.slice(title.start + 1, title.end - 1);
  return null;
}

/** The comments of a module. */
export function commentsOf(path: string, source: string): string[] {
  return parseSync(path, source).comments.map(({ value }) => value);
}
