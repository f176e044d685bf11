import { type Tree, childOf, childrenOf, requiredChild, valuesOf } from "../grammar/sentence-grammar.js";
import type { Bound, Comparison, MoneyText, NumberText, RateText } from "../grammar/syntax.js";

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  over: "gt",
  atleast: "gte",
  under: "lt",
  atmost: "lte",
};

export function readComparison(cmp: Tree): Comparison {
  return COMPARISONS[cmp.children[0]?.rule ?? ""] as Comparison;
}

/** Reads a `Num` or an `aNumber`. */
export function readNumber(tree: Tree): NumberText {
  const scale = childOf(tree, "million") ? 1_000_000 : childOf(tree, "thousand") ? 1000 : 1;
  return { digits: valuesOf(tree)[0] as string, factor: scale };
}

export function readMoney(money: Tree): MoneyText {
  const form = money.children[0] as Tree;
  const currency = childOf(form, "aCurrency");
  return {
    number: readNumber(requiredChild(form, "Num")),
    currency: currency === undefined ? null : (valuesOf(currency)[0] as string),
  };
}

/** Reads a `Rate`, which is a `Rate_percent` or a `Rate_bps`. */
export function readRate(rate: Tree): RateText {
  const form = rate.children[0] as Tree;
  return rate.rule === "Pct" || form.rule.endsWith("_percent")
    ? {
        number: readNumber(rate.rule === "Pct" ? rate : (requiredChild(form, "Pct").children[0] as Tree)),
        unit: "percent",
      }
    : { number: readNumber(requiredChild(form, "Num")), unit: "bps" };
}

/** Reads the percentage of a `Pct`. */
export function readPercent(pct: Tree): NumberText {
  return readNumber(requiredChild(pct, "aNumber"));
}

/** Reads a `NumRange` or a `MoneyRange`. Both have the same five forms. */
export function readBounds<Value>(
  range: Tree,
  item: "Num" | "Money",
  read: (tree: Tree) => Value,
): Bound<Value>[] {
  const form = range.children[0] as Tree;
  const values = childrenOf(form, item).map(read);
  const [first, second] = values as [Value, Value];
  switch (form.rule.slice(form.rule.indexOf("_") + 1)) {
    case "between":
      return [
        { comparison: "gte", value: first },
        { comparison: "lte", value: second },
      ];
    case "cmp":
      return [{ comparison: readComparison(requiredChild(form, "Cmp")), value: first }];
    case "ormore":
      return [{ comparison: "gte", value: first }];
    case "orless":
      return [{ comparison: "lte", value: first }];
    default:
      return exactly(first);
  }
}

export function exactly<Value>(value: Value): Bound<Value>[] {
  return [
    { comparison: "gte", value },
    { comparison: "lte", value },
  ];
}

/** "between 100 and 500 USD": a currency named once applies to both ends. */
export function shareCurrency(bounds: Bound<MoneyText>[]): Bound<MoneyText>[] {
  const [only, ...more] = new Set(
    bounds.map(({ value }) => value.currency).filter((currency) => currency !== null),
  );
  if (only === undefined || more.length > 0) return bounds;
  return bounds.map(({ comparison, value }) => ({ comparison, value: { ...value, currency: only } }));
}
