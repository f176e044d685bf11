import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { TRIES, TRY_ACTIONS, TRY_MERCHANT, tryRequest } from "../../../src/dashboard/explain/tries.js";
import { curlOf } from "../../../src/dashboard/pages/api-keys/curl.js";
import { stepsOf, type Existing } from "../../../src/dashboard/pages/overview/first-steps/steps.js";
import type { HealthSnapshot } from "../../../src/client/wire-types.js";
import { ACTIONS } from "../../../src/domain/vocabulary/vocabulary.js";

const NOTHING: Existing = {
  merchants: [],
  keys: [],
  policies: [],
  aggregates: [{ total: 0, with_outcome: 0, recent: [] }],
  team: { members: [{}], invitations: [] },
};
const doneOf = (existing: Partial<Existing>): string[] =>
  stepsOf({ ...NOTHING, ...existing }, true)
    .filter(({ isDone }) => isDone)
    .map(({ key }) => key);

describe("DASH-20: the first steps", () => {
  it("each is ticked when its object exists", () => {
    assert.deepEqual(doneOf({}), []);
    assert.deepEqual(doneOf({ merchants: [{ merchant_id: "shop" }] }), ["merchant"]);
    assert.deepEqual(doneOf({ keys: [{ merchant_id: null }] }), ["key"]);
    assert.deepEqual(doneOf({ policies: [{ policy_id: "pol_1" }] }), ["policy"]);
    assert.deepEqual(doneOf({ aggregates: [{ total: 2, with_outcome: 0, recent: [] }] }), ["decision"]);
    assert.deepEqual(doneOf({ aggregates: [{ total: 2, with_outcome: 1, recent: [] }] }), [
      "decision",
      "outcome",
    ]);
    assert.deepEqual(doneOf({ team: { members: [{}, {}], invitations: [] } }), ["colleague"]);
    assert.deepEqual(doneOf({ team: { members: [{}], invitations: [{}] } }), ["colleague"]);
  });

  it("the merchant of the tries and its keys do not count as first ones", () => {
    assert.deepEqual(doneOf({ merchants: [{ merchant_id: TRY_MERCHANT }] }), []);
    assert.deepEqual(doneOf({ keys: [{ merchant_id: TRY_MERCHANT }] }), []);
  });

  it("DASH-42: the policy begins with a template, of the first merchant where there is one", () => {
    const toOf = (existing: Partial<Existing>): string | undefined =>
      stepsOf({ ...NOTHING, ...existing }, true).find(({ key }) => key === "policy")?.to;
    assert.equal(toOf({}), "/policies?templates=open");
    assert.equal(toOf({ merchants: [{ merchant_id: "shop" }] }), "/policies?merchant=shop&templates=open");
  });

  it("only people who may invite are asked to", () => {
    assert.equal(stepsOf(NOTHING, true).at(-1)?.key, "colleague");
    assert.equal(stepsOf(NOTHING, false).at(-1)?.key, "outcome");
  });
});

describe("DASH-24: the values of the tries", () => {
  it("docs/tries.md lists each instruction with its amount", () => {
    const page = readFileSync("docs/tries.md", "utf8");
    assert.deepEqual(new Set(TRY_ACTIONS), new Set(ACTIONS));
    for (const action of TRY_ACTIONS)
      assert.ok(page.includes(`| \`${action}\` | ${TRIES[action].amountMinor} |`), action);
  });

  it("a retry and a failover need a provider of that health, and another that is well", () => {
    const snapshot = (provider: string, state: HealthSnapshot["state"]): HealthSnapshot =>
      ({ provider, segment_key: `${provider}:card:USD`, state }) as HealthSnapshot;
    const failedOf = (action: "retry" | "failover", ...states: HealthSnapshot["state"][]): unknown => {
      const providers = states.map((_, at) => `p${at}`);
      const health = states.map((state, at) => snapshot(`p${at}`, state));
      const body = tryRequest(action, providers, health, "order_1");
      return body === null ? null : (body["previous_attempt"] as { provider: string }).provider;
    };
    assert.equal(failedOf("retry", "healthy", "healthy"), "p0");
    assert.equal(failedOf("retry", "critical", "healthy", "watch"), "p1");
    assert.equal(failedOf("retry", "critical", "critical"), null);
    assert.equal(failedOf("failover", "healthy", "degraded"), "p1");
    assert.equal(failedOf("failover", "healthy", "healthy"), null);
    assert.equal(failedOf("failover", "unavailable"), null);
  });
});

it("DASH-21: the command has the key, the merchant and providers of the deployment", () => {
  assert.equal(
    curlOf("https://pay.example", "pi_test_secret", "shop", ["a", "b", "c"]),
    `curl -s https://pay.example/v1/decision \\
  -H 'x-api-key: pi_test_secret' \\
  -H 'content-type: application/json' \\
  -d '{"merchant_id":"shop","order_id":"order_1001","transaction":{"amount":129900,"currency":"USD","country":"US","payment_method":"card"},"available_providers":["a","b"]}'`,
  );
});
