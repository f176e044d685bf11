import * as ohm from "ohm-js";
import { COMMAND_GRAMMAR } from "./command-grammar.js";
import { CONDITION_GRAMMAR } from "./condition-grammar.js";
import { TERMINALS } from "./lexicon.js";
import type { Word } from "./syntax.js";

/** A parse tree without repetitions. Only the grammar's rules remain, with terminals and values as leaves. */
export interface Tree {
  readonly rule: string;
  /** The percent-encoded text of a `value`. Other rules have ''. */
  readonly text: string;
  /** The index of the sentence's word at which the tree begins. */
  readonly at: number;
  readonly children: readonly Tree[];
}

/**
 * The grammar reads each word as one character, because a parsing expression grammar works on characters. Parsing this
 * shorter input takes an eighth of the time. An entity becomes two characters: one for its kind and one for its value.
 */
const FIRST_WORD = 0xe000;
const CARD_VALUE = "\uf000";
const FIRST_VALUE = 0xf001;
const KINDS = [...new Set((CONDITION_GRAMMAR + COMMAND_GRAMMAR).match(/(?<=")\w+:(?=")/g))];
const CHARACTERS: ReadonlyMap<string, string> = new Map(
  [...TERMINALS, ...KINDS].map((word, i) => [word, String.fromCharCode(FIRST_WORD + i)]),
);
const quoted = (word: string): string => `"${CHARACTERS.get(word)}"`;
/** A character of a terminal → the terminal. */
const TERMINAL_OF: ReadonlyMap<string, string> = new Map(
  TERMINALS.map((word) => [CHARACTERS.get(word) as string, word]),
);

const WORD_GRAMMAR = `
PolicyWords {
  value = any
  cardValue = "${CARD_VALUE}"
}
`;

/** Finds in the grammar's text: a comment, the name of a case, a kind of entity, or any other name. */
const NAMES = /\/\*[^]*?\*\/|--\s*\w+|"(\w+:)"|[A-Za-z]\w*/g;
const IS_TERMINAL: ReadonlySet<string> = new Set(TERMINALS);
/**
 * A prefix in lower case for the name of each rule. Ohm skips spaces in rules whose names begin with a capital, but the
 * input has no spaces.
 */
const LEXICAL = "r";

/**
 * The grammar in Ohm's form. A terminal is written as its character and not as a rule, because applying a rule costs
 * Ohm many times more.
 */
const SOURCE = (WORD_GRAMMAR + CONDITION_GRAMMAR + COMMAND_GRAMMAR).replace(NAMES, (name, kind?: string) => {
  if (kind !== undefined) return quoted(kind);
  if (IS_TERMINAL.has(name)) return quoted(name);
  return /^[A-Z]/.test(name) ? LEXICAL + name : name;
});
const GRAMMAR = ohm.grammars(SOURCE)[`${LEXICAL}PolicyCommands`] as ohm.Grammar;

/** The words and values that the parsed characters stand for. */
interface Reading {
  readonly values: readonly string[];
  /** The index of each character's word. */
  readonly wordAt: readonly number[];
}

/** The grammar's rules that only look ahead. */
const LOOKED_AHEAD: ReadonlySet<string> = new Set(["end", "StatementEnd", "Next"]);

const LEXICAL_NAME = new RegExp(`^${LEXICAL}(?=[A-Z])`);

const SEMANTICS = GRAMMAR.createSemantics().addOperation<Tree[]>("trees(reading)", {
  _terminal() {
    const rule = TERMINAL_OF.get(this.sourceString);
    if (rule === undefined) return [];
    return [{ rule, text: "", at: wordOf(this, this["args"].reading as Reading), children: [] }];
  },
  _iter(...children) {
    return children.flatMap((child) => treesOf(child, this["args"].reading as Reading));
  },
  _nonterminal(...children) {
    const reading = this["args"].reading as Reading;
    const rule = this.ctorName.replace(LEXICAL_NAME, "");
    if (LOOKED_AHEAD.has(rule)) return [];
    const at = wordOf(this, reading);
    if (rule === "value" || rule === "cardValue") {
      const index = this.sourceString.charCodeAt(0) - FIRST_VALUE;
      const text = index < 0 ? "card" : (reading.values[index] as string);
      return [{ rule: "value", text, at, children: [] }];
    }
    return [{ rule, text: "", at, children: children.flatMap((child) => treesOf(child, reading)) }];
  },
});

function wordOf(node: ohm.Node, { wordAt }: Reading): number {
  return wordAt[node.source.startIdx] ?? wordAt.length;
}

function treesOf(node: ohm.Node, reading: Reading): Tree[] {
  return node["trees"](reading) as Tree[];
}

/** Parses a whole normalized sentence. Returns null when no reading covers all of it. */
export function parseSentence(words: readonly Word[]): Tree | null {
  const values: string[] = [];
  const wordAt: number[] = [];
  let input = "";
  for (const [i, { text: word }] of words.entries()) {
    const colon = word.indexOf(":") + 1;
    input += CHARACTERS.get(colon === 0 ? word : word.slice(0, colon)) ?? "";
    if (word === "method:card") input += CARD_VALUE;
    else if (colon > 0) input += String.fromCharCode(FIRST_VALUE + values.push(word.slice(colon)) - 1);
    while (wordAt.length < input.length) wordAt.push(i);
  }
  const match = GRAMMAR.match(input, `${LEXICAL}Sentence`);
  if (match.failed()) return null;
  return (SEMANTICS(match)["trees"]({ values, wordAt } satisfies Reading) as Tree[])[0] ?? null;
}

/** Returns the first child with that rule. */
export function childOf(tree: Tree, rule: string): Tree | undefined {
  return tree.children.find((child) => child.rule === rule);
}

/** Returns the first child with that rule. The grammar guarantees that there is one. */
export function requiredChild(tree: Tree, rule: string): Tree {
  const child = childOf(tree, rule);
  if (child === undefined) throw new Error(`${tree.rule} has no ${rule}`);
  return child;
}

export function childrenOf(tree: Tree, rule: string): Tree[] {
  return tree.children.filter((child) => child.rule === rule);
}

/** True when the rule occurs anywhere below the tree. */
export function contains(tree: Tree, rule: string): boolean {
  return tree.children.some((child) => child.rule === rule || contains(child, rule));
}

/** Terminals that stand for a value but are not entities. */
const WORD_VALUES: Readonly<Record<string, string>> = {
  new: "new",
  returning: "returning",
  decline: "declined",
};

/** Returns the values of all entities below the tree, in order. */
export function valuesOf(tree: Tree): string[] {
  if (tree.rule === "value") return [decodeURIComponent(tree.text)];
  const own = WORD_VALUES[tree.rule];
  return own === undefined ? tree.children.flatMap(valuesOf) : [own];
}
