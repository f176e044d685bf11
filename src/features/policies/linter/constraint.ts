/** The values that a request can have for a field, after validation and defaults. An `optional` field may be absent. */
export interface NumericDomain {
  /** Integer bounds, both inclusive. */
  readonly lowest: number;
  readonly highest: number;
  readonly optional: boolean;
}
export interface ListedDomain {
  /** Null: the values are too many to list and are treated as endless. */
  readonly values: readonly string[] | null;
  readonly optional: boolean;
}

/** The remaining values of a numeric field: the integers from `lowest` to `highest`, and with `absent` also absence. */
export interface RangeConstraint {
  readonly kind: "range";
  readonly lowest: number;
  readonly highest: number;
  readonly absent: boolean;
}

/**
 * The remaining values of a listed field: those in `listed`, or with `complement` all others. `absent` adds absence.
 */
export interface SetConstraint {
  readonly kind: "set";
  readonly listed: ReadonlySet<string>;
  readonly complement: boolean;
  readonly absent: boolean;
  readonly domain: ListedDomain;
}

/**
 * The remaining offers (the sets of providers that a request offers), or the remaining texts by their prefixes. Each
 * contains none of `forbidden` and at least one of each list in `hits`.
 */
export interface HitsConstraint {
  readonly kind: "hits";
  readonly forbidden: ReadonlySet<string>;
  readonly hits: readonly (readonly string[])[];
}

export type Constraint = RangeConstraint | SetConstraint | HitsConstraint;

/** A condition and its negation. An absent field makes the condition false and therefore its negation true. */
export interface Literal {
  /** Conditions with the same subject are about the same value. */
  readonly subject: string;
  readonly holds: Constraint;
  readonly fails: Constraint;
}

/** The literal `value ≥ bound` over the integers of a domain. */
export function atLeast(subject: string, bound: number, domain: NumericDomain): Literal {
  const { lowest, highest, optional } = domain;
  return {
    subject,
    holds: { kind: "range", lowest: Math.max(lowest, bound), highest, absent: false },
    fails: { kind: "range", lowest, highest: Math.min(highest, bound - 1), absent: optional },
  };
}

/** The literal `value ≤ bound` over the integers of a domain. */
export function atMost(subject: string, bound: number, domain: NumericDomain): Literal {
  const { lowest, highest, optional } = domain;
  return {
    subject,
    holds: { kind: "range", lowest, highest: Math.min(highest, bound), absent: false },
    fails: { kind: "range", lowest: Math.max(lowest, bound + 1), highest, absent: optional },
  };
}

/** The literal `value ∈ values`. With `complement` it is the `_not_in` condition. */
export function oneOf(
  subject: string,
  values: readonly string[],
  domain: ListedDomain,
  complement = false,
): Literal {
  const listed = new Set(values);
  return {
    subject,
    holds: { kind: "set", listed, complement, absent: false, domain },
    fails: { kind: "set", listed, complement: !complement, absent: domain.optional, domain },
  };
}

/** The values that satisfy both constraints. Both have the same subject and therefore the same kind. */
export function intersect(a: Constraint, b: Constraint): Constraint {
  if (a.kind === "range" && b.kind === "range") {
    return {
      kind: "range",
      lowest: Math.max(a.lowest, b.lowest),
      highest: Math.min(a.highest, b.highest),
      absent: a.absent && b.absent,
    };
  }
  if (a.kind === "set" && b.kind === "set") {
    return { ...intersectSets(a, b), kind: "set", absent: a.absent && b.absent, domain: a.domain };
  }
  if (a.kind === "hits" && b.kind === "hits") {
    return {
      kind: "hits",
      forbidden: new Set([...a.forbidden, ...b.forbidden]),
      hits: [...a.hits, ...b.hits],
    };
  }
  throw new TypeError("constraints of one subject have one kind");
}

function intersectSets(a: SetConstraint, b: SetConstraint): Pick<SetConstraint, "listed" | "complement"> {
  if (a.complement && b.complement) {
    return { listed: new Set([...a.listed, ...b.listed]), complement: true };
  }
  const [positive, other] = a.complement ? [b, a] : [a, b];
  const listed = new Set(Array.from(positive.listed).filter((value) => admits(other, value)));
  return { listed, complement: false };
}

export function admits({ listed, complement }: SetConstraint, value: string): boolean {
  return listed.has(value) !== complement;
}

/** True when the field, if present, has no value left. */
export function hasNoValue(constraint: RangeConstraint | SetConstraint): boolean {
  if (constraint.kind === "range") return constraint.lowest > constraint.highest;
  const { values } = constraint.domain;
  if (values !== null) return !values.some((value) => admits(constraint, value));
  return !constraint.complement && constraint.listed.size === 0;
}

/**
 * True if no value is left and the field may not be absent. A constraint of hits is never empty here, because
 * satisfiable.ts checks it together with other subjects.
 */
export function isEmpty(constraint: Constraint): boolean {
  return constraint.kind !== "hits" && !constraint.absent && hasNoValue(constraint);
}
