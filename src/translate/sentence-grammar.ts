import * as ohm from "ohm-js";
import { COMMAND_GRAMMAR } from "./command-grammar.js";
import { CONDITION_GRAMMAR } from "./condition-grammar.js";
import { TERMINALS } from "./lexicon.js";

/** A parse tree without signs and repetitions: only the grammar's rules are left, terminals as leaves. */
export interface Tree {
  readonly rule: string;
  readonly text: string;
  readonly children: readonly Tree[];
}

const WORD_GRAMMAR = String.raw`
PolicyWords {
  value = (~" " any)+
  wordEnd = ~(~" " any)
  ${TERMINALS.map((word) => `${word} = ${JSON.stringify(word === "comma" ? "comma" : word)} wordEnd`).join("\n  ")}
}
`;

const GRAMMAR = ohm.grammars(WORD_GRAMMAR + CONDITION_GRAMMAR + COMMAND_GRAMMAR)[
  "PolicyCommands"
] as ohm.Grammar;

const SEMANTICS = GRAMMAR.createSemantics().addOperation<Tree[]>("trees", {
  _terminal: () => [],
  _iter: (...children) => children.flatMap(treesOf),
  _nonterminal(...children) {
    if (this.ctorName === "wordEnd" || this.ctorName === "end") return [];
    const text = this.sourceString;
    if (this.ctorName === "value") return [{ rule: "value", text, children: [] }];
    return [{ rule: this.ctorName, text, children: children.flatMap(treesOf) }];
  },
});

function treesOf(node: ohm.Node): Tree[] {
  return node["trees"]() as Tree[];
}

/** The tree of a whole normalized sentence, or null when no reading takes all of it. */
export function parseSentence(normalized: string): Tree | null {
  const match = GRAMMAR.match(normalized, "Sentence");
  return match.failed() ? null : ((SEMANTICS(match)["trees"]() as Tree[])[0] ?? null);
}

/** The first child of that rule. */
export function childOf(tree: Tree, rule: string): Tree | undefined {
  return tree.children.find((child) => child.rule === rule);
}

/** As `childOf`, where the grammar promises one. */
export function requiredChild(tree: Tree, rule: string): Tree {
  const child = childOf(tree, rule);
  if (child === undefined) throw new Error(`${tree.rule} has no ${rule}`);
  return child;
}

export function childrenOf(tree: Tree, rule: string): Tree[] {
  return tree.children.filter((child) => child.rule === rule);
}

/** True when the rule stands anywhere below. */
export function contains(tree: Tree, rule: string): boolean {
  return tree.children.some((child) => child.rule === rule || contains(child, rule));
}

/** Terminals that stand for a value without being an entity. */
const WORD_VALUES: Readonly<Record<string, string>> = {
  new: "new",
  returning: "returning",
  decline: "declined",
};

/** The values of all entities below, in order. */
export function valuesOf(tree: Tree): string[] {
  if (tree.rule === "value") return [decodeURIComponent(tree.text)];
  const own = WORD_VALUES[tree.rule];
  return own === undefined ? tree.children.flatMap(valuesOf) : [own];
}
