import { HEALTH_STATES } from "../../../domain/vocabulary/vocabulary.js";
import { CONDITION_FIELDS } from "../../../domain/policy/condition-fields.js";
import {
  conditionFieldsOf,
  type FieldOf,
  SAMPLE_BPS_MAX,
} from "../../../domain/policy/condition-vocabulary.js";
import type { Conditions } from "../../../domain/policy/policy.js";
import { atLeast, atMost, type ListedDomain, type Literal, type NumericDomain, oneOf } from "./constraint.js";

export const OFFER = "offered_provider" satisfies FieldOf<"set">;
const HEALTH_STATE: ListedDomain = { values: HEALTH_STATES, optional: false };
/** The buckets that `sample_bps_lt` compares with. */
const SAMPLE_BUCKETS: NumericDomain = { lowest: 0, highest: SAMPLE_BPS_MAX - 1, optional: false };
const NO_HITS = { kind: "hits", forbidden: new Set<string>(), hits: [] } as const;

type ToLiteral = (value: never) => Literal;

function numericDomain(field: FieldOf<"number">): NumericDomain {
  const { bounds, optional } = CONDITION_FIELDS[field];
  return { lowest: bounds[0], highest: bounds[1], optional };
}

function listedDomain(field: FieldOf<"list">, providers: readonly string[]): ListedDomain {
  const { values, optional } = CONDITION_FIELDS[field];
  if (typeof values !== "string") return { values, optional };
  return { values: values === "provider" ? providers : null, optional };
}

/** The meaning of each condition key, except the three that contain lists of conditions. */
export function literalTable(providers: readonly string[]): ReadonlyMap<string, ToLiteral> {
  return new Map<string, ToLiteral>([
    ...conditionFieldsOf("number").flatMap((field): [string, ToLiteral][] => {
      const domain = numericDomain(field);
      return [
        [`${field}_gte`, (bound: number) => atLeast(field, bound, domain)],
        [`${field}_gt`, (bound: number) => atLeast(field, bound + 1, domain)],
        [`${field}_lte`, (bound: number) => atMost(field, bound, domain)],
        [`${field}_lt`, (bound: number) => atMost(field, bound - 1, domain)],
      ];
    }),
    ...conditionFieldsOf("list").flatMap((field): [string, ToLiteral][] => {
      const domain = listedDomain(field, providers);
      return [
        [`${field}_in`, (values: string[]) => oneOf(field, values, domain)],
        [`${field}_not_in`, (values: string[]) => oneOf(field, values, domain, true)],
      ];
    }),
    ...conditionFieldsOf("prefix").map((field): [string, ToLiteral] => [
      `${field}_prefix`,
      (prefixes: string[]) => hit(prefixSubject(field), prefixes),
    ]),
    ...conditionFieldsOf("flag").map((field): [string, ToLiteral] => {
      const domain: ListedDomain = { values: ["true", "false"], optional: CONDITION_FIELDS[field].optional };
      return [`${field}_is`, (wanted: boolean) => oneOf(field, [String(wanted)], domain)];
    }),
    [`${OFFER}_in`, (values: string[]) => hit(OFFER, values)],
    [`${OFFER}_not_in`, (values: string[]) => negated(hit(OFFER, values))],
    [
      "provider_health_state_in",
      ({ provider, states }: NonNullable<Conditions["provider_health_state_in"]>) =>
        oneOf(`provider_health_state ${provider}`, states, HEALTH_STATE),
    ],
    // All samples of one rule compare the same bucket.
    ["sample_bps_lt", (bps: number) => atMost("sample_bps", bps - 1, SAMPLE_BUCKETS)],
  ]);
}

/**
 * The literal "at least one of `values` is present". The field is never absent, so the negation is the exact opposite.
 */
function hit(subject: string, values: readonly string[]): Literal {
  return {
    subject,
    holds: { ...NO_HITS, hits: [values] },
    fails: { ...NO_HITS, forbidden: new Set(values) },
  };
}

/** All prefix conditions of a field share this subject, because one list of prefixes can contradict another. */
export const prefixSubject = (field: FieldOf<"prefix">): string => `${field}_prefix`;

function negated({ subject, holds, fails }: Literal): Literal {
  return { subject, holds: fails, fails: holds };
}
