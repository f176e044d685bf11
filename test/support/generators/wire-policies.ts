import * as fc from "fast-check";
import { actionRow } from "../../../src/domain/policy/action-rows.js";
import type { Rule, RuleAction } from "../../../src/domain/policy/policy.js";
import { PROVIDER_IDS, rule } from "./arbitraries.js";

/** The part of a policy body that a merchant sends under `default_provider` and `rules`. */
export interface WirePolicy {
  default_provider?: unknown;
  rules?: unknown;
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Omits some defaults and writes some values in their other accepted spelling. */
function spelled(
  { rule_id, priority, enabled, then, ...rest }: Rule,
  choices: number,
): Record<string, unknown> {
  const chosen = (bit: number): boolean => (choices & (1 << bit)) !== 0;
  return {
    ...(chosen(0) ? { rule_id } : {}),
    ...(chosen(1) ? { priority } : {}),
    ...(chosen(2) || !enabled ? { enabled } : {}),
    ...rest,
    then: spelledAction(then, chosen(3), chosen(4), chosen(5)),
  };
}

function spelledAction(then: RuleAction, alias: boolean, single: boolean, sparse: boolean): object {
  const action: Record<string, unknown> = { ...then };
  const { alias: otherType = then.type, options } = actionRow(then.type);
  if (alias) action["type"] = otherType;
  const providers = action["providers"] as string[] | undefined;
  if (single && providers?.length === 1) {
    delete action["providers"];
    action["provider"] = providers[0];
  }
  if (sparse)
    for (const [name, { presence }] of Object.entries(options))
      if (presence === "filled") delete action[name];
  return action;
}

/** Policies in all accepted spellings. Validation must accept every one. */
export const validWirePolicy: fc.Arbitrary<WirePolicy> = fc
  .tuple(
    fc.option(fc.constantFrom(...PROVIDER_IDS)),
    fc.tuple(...Array.from({ length: 6 }, (_, i) => fc.tuple(rule(`rule_${i}`), fc.nat({ max: 63 })))),
    fc.nat({ max: 6 }),
  )
  .map(([defaultProvider, rules, length]) => ({
    ...(defaultProvider === null ? {} : { default_provider: defaultProvider }),
    rules: rules.slice(0, length).map(([source, choices]) => spelled(source, choices)),
  }));

/** A submitted value that no issue may quote. */
export const SUBMITTED = "4111111111111111";

const oddValue: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    -1,
    0,
    1.5,
    1e300,
    2 ** 53,
    "",
    SUBMITTED,
    [],
    {},
    [null],
    ["x", "x"],
    [[]],
  ),
  fc.constantFrom<Json>(
    { type: SUBMITTED },
    { [SUBMITTED]: 1 },
    { any_of: [{ any_of: [{ any_of: [{}] }] }] },
    [{}],
  ),
  fc.constantFrom<Json>("provider_9", "usd", "__proto__", "constructor", { constructor: 1 }, { toString: 1 }),
  fc.jsonValue({ maxDepth: 3 }).map((value) => value as Json),
);
const oddKey = fc.constantFrom(
  "provider",
  "providers",
  "amount_gte",
  "type",
  "weights",
  "__proto__",
  SUBMITTED,
  "x",
);

/** A policy with one to three of its values replaced, removed or put under an unknown key. */
export const nearlyValidWirePolicy: fc.Arbitrary<WirePolicy> = fc
  .tuple(
    validWirePolicy,
    fc.array(fc.tuple(fc.nat(), fc.constantFrom("replace", "remove", "add"), oddKey, oddValue), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([source, changes]) => {
    const policy = JSON.parse(JSON.stringify(source)) as Json;
    for (const [at, how, key, value] of changes)
      change(policy, at, how, key, JSON.parse(JSON.stringify(value)) as Json);
    return policy as WirePolicy;
  });

/** `value` and every container below it, each paired with each of its keys. */
function placesIn(value: Json, places: [container: Json[] | Record<string, Json>, key: string][] = []) {
  if (typeof value !== "object" || value === null) return places;
  for (const [key, child] of Object.entries(value)) {
    places.push([value, key]);
    placesIn(child, places);
  }
  return places;
}

function change(policy: Json, at: number, how: string, key: string, value: Json): void {
  const places = placesIn(policy);
  const place = places[at % places.length];
  if (place === undefined) return;
  const [container, name] = place;
  if (Array.isArray(container)) {
    if (how === "remove") container.splice(Number(name), 1);
    else if (how === "add") container.push(value);
    else container[Number(name)] = value;
  } else if (how === "remove") delete container[name];
  else define(container, how === "add" ? key : name, value);
}

/** Defines `__proto__` as an own member, as JSON.parse does. */
function define(container: Record<string, Json>, key: string, value: Json): void {
  Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true });
}
