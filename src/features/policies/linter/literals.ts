import { HEALTH_STATES } from "../../../domain/vocabulary/vocabulary.js";
import { BOOLEAN_FIELDS, LISTED_FIELDS, NUMERIC_FIELDS } from "../../../domain/policy/condition-fields.js";
import type { Conditions } from "../../../domain/policy/policy.js";
import { atLeast, atMost, type Literal, oneOf } from "./constraint.js";
import {
  BOOLEAN_DOMAINS,
  LISTED_DOMAINS,
  type ListedDomain,
  NUMERIC_DOMAINS,
  SAMPLE_DOMAIN,
} from "./field-domains.js";

export const OFFER = "offered_provider";
const HEALTH_STATE: ListedDomain = { values: HEALTH_STATES, optional: false };
const NO_HITS = { kind: "offer", forbidden: new Set<string>(), hits: [] } as const;

type ToLiteral = (value: never) => Literal;

/** The meaning of each condition key but the three that hold lists of conditions. */
export function literalTable(providers: readonly string[]): ReadonlyMap<string, ToLiteral> {
  const listedDomains = { ...LISTED_DOMAINS, previous_provider: { values: providers, optional: true } };
  return new Map<string, ToLiteral>([
    ...keysOf(NUMERIC_FIELDS).flatMap((field): [string, ToLiteral][] => {
      const domain = NUMERIC_DOMAINS[field];
      return [
        [`${field}_gte`, (bound: number) => atLeast(field, bound, domain)],
        [`${field}_gt`, (bound: number) => atLeast(field, bound + 1, domain)],
        [`${field}_lte`, (bound: number) => atMost(field, bound, domain)],
        [`${field}_lt`, (bound: number) => atMost(field, bound - 1, domain)],
      ];
    }),
    ...keysOf(LISTED_FIELDS).flatMap((field): [string, ToLiteral][] => [
      [`${field}_in`, (values: string[]) => oneOf(field, values, listedDomains[field])],
      [`${field}_not_in`, (values: string[]) => oneOf(field, values, listedDomains[field], true)],
    ]),
    ...keysOf(BOOLEAN_FIELDS).map((field): [string, ToLiteral] => [
      `${field}_is`,
      (wanted: boolean) => oneOf(field, [String(wanted)], BOOLEAN_DOMAINS[field]),
    ]),
    [`${OFFER}_in`, (values: string[]) => offers(values)],
    [`${OFFER}_not_in`, (values: string[]) => negated(offers(values))],
    [
      "provider_health_state_in",
      ({ provider, states }: NonNullable<Conditions["provider_health_state_in"]>) =>
        oneOf(`provider_health_state ${provider}`, states, HEALTH_STATE),
    ],
    // All samples of one rule are of one bucket.
    ["sample_bps_lt", (bps: number) => atMost("sample_bps", bps - 1, SAMPLE_DOMAIN)],
  ]);
}

/** At least one offered provider is listed; an offer is never absent, so `_not_in` is the exact opposite. */
function offers(values: readonly string[]): Literal {
  return {
    subject: OFFER,
    holds: { ...NO_HITS, hits: [values] },
    fails: { ...NO_HITS, forbidden: new Set(values) },
  };
}

function negated({ subject, holds, fails }: Literal): Literal {
  return { subject, holds: fails, fails: holds };
}

function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(table) as Key[];
}
