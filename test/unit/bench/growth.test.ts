import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  besideFloors,
  GROWTH_FLOORS,
  publishFloor,
  restartFloors,
  throughputFloors,
  timesOf,
} from "../../../bench/growth/growth-floors.js";
import { GROWN_RULES, POLICY_KINDS, rulesFormat } from "../../../bench/growth/grown-policies.js";
import { evenly } from "../../../bench/growth/grown-service.js";
import { faultFloors } from "../../../bench/harness/floor-result.js";
import { grownKey } from "../../../bench/growth/grown-tenants.js";
import type { OverMerchants } from "../../../bench/growth/platform.js";
import { anonymousMebibytes } from "../../../bench/growth/private-memory.js";
import type { BesideFigures } from "../../../bench/growth/publishes.js";
import type { RestartFigures } from "../../../bench/growth/restarts.js";
import { createSpreadSource, spreadMerchantId, type Spread } from "../../../bench/client/spread-source.js";
import { createPolicyValidator } from "../../../src/features/policies/wire/policy-validator.js";
import { parseApiKey } from "../../../src/path/access/api-key.js";
import type { Rule } from "../../../src/domain/policy/policy.js";

const URL_OF_DECISIONS = new URL("http://127.0.0.1:8080/v1/decision");

interface Sent {
  key: string;
  merchantId: string;
  orderId: string;
}

function send(spread: Spread, count: number): Sent[] {
  const source = createSpreadSource(URL_OF_DECISIONS, spread);
  return Array.from({ length: count }, () => {
    const [head = "", text = ""] = source.next().toString("utf8").split("\r\n\r\n");
    const body = JSON.parse(text) as { merchant_id: string; order_id: string };
    const [, key = ""] = /^x-api-key: (.+)$/m.exec(head) ?? [];
    assert.match(head, new RegExp(`^content-length: ${Buffer.byteLength(text)}$`, "m"));
    return { key: key.trim(), merchantId: body.merchant_id, orderId: body.order_id };
  });
}

const merchantOf = ({ key, merchantId }: Sent): string => `${key} ${merchantId}`;

describe("requests spread over merchants", () => {
  const spread: Spread = { seed: 7, keys: [grownKey(0), grownKey(1)], merchantsEach: 50, order: "random" };

  it("reach every merchant of every workspace about as often, and the same with the same seed", () => {
    const sent = send(spread, 20_000);
    const counts = new Map<string, number>();
    for (const name of sent.map(merchantOf)) counts.set(name, (counts.get(name) ?? 0) + 1);
    assert.equal(counts.size, 100);
    // A merchant has 200 decisions on average, with a standard deviation of 14.
    for (const [name, count] of counts) assert.ok(count > 120 && count < 280, `${name} had ${count}`);
    assert.deepEqual(send(spread, 200), sent.slice(0, 200));
    assert.notDeepEqual(
      send({ ...spread, seed: 8 }, 200).map(merchantOf),
      sent.slice(0, 200).map(merchantOf),
    );
  });

  it("never repeat an order, of one spread or of two", () => {
    const orders = [...send(spread, 10_000), ...send({ ...spread, seed: 8 }, 10_000)].map(
      ({ orderId }) => orderId,
    );
    assert.equal(new Set(orders).size, 20_000);
  });

  it("reach each merchant once before any comes again, when spread in turn", () => {
    const sent = send({ ...spread, order: "in turn" }, 200).map(merchantOf);
    assert.equal(new Set(sent.slice(0, 100)).size, 100);
    assert.deepEqual(sent.slice(100), sent.slice(0, 100));
  });

  it("reach the last of a million merchants, and nobody beyond", () => {
    const sent = send({ seed: 1, keys: [grownKey(0)], merchantsEach: 1_000_000, order: "random" }, 50_000);
    const ids = sent.map(({ merchantId }) => merchantId).toSorted();
    assert.ok(
      (ids[0] as string) < spreadMerchantId(1_000) && (ids.at(-1) as string) > spreadMerchantId(999_000),
    );
    assert.ok(ids.every((id) => /^shop_0\d{6}$/.test(id)));
  });

  it("are refused without keys, with keys of two lengths, and for more merchants than have a number", () => {
    for (const change of [{ keys: [] }, { keys: ["a", "bc"] }, { merchantsEach: 10_000_001 }])
      assert.throws(() => createSpreadSource(URL_OF_DECISIONS, { ...spread, ...change }), RangeError);
  });
});

describe("grown tenants", () => {
  it("have keys of the service's shape, each its own", () => {
    const keys = Array.from({ length: 100 }, (_, number) => grownKey(number));
    assert.ok(keys.every((key) => parseApiKey(key)?.mode === "test"));
    assert.equal(new Set(keys).size, 100);
  });

  /** The rules of a merchant, as PostgreSQL's format() writes them. */
  const written = (kind: (typeof POLICY_KINDS)[number], merchant: number): Rule[] => {
    const digits = (number: number): string => String(number % 1000).padStart(3, "0");
    const places = [
      String(merchant).padStart(25, "0"),
      String(merchant),
      digits(merchant),
      digits(Math.floor(merchant / 1000)),
    ];
    const text = rulesFormat(kind).replaceAll(/%(\d)\$s/g, (_, place) => places[Number(place) - 1] as string);
    return JSON.parse(text) as Rule[];
  };
  const withoutIds = (rules: Rule[]): unknown => rules.map((rule) => ({ ...rule, rule_id: "" }));

  it("have ten rules that the API publishes", () => {
    const { validate } = createPolicyValidator({
      providers: ["provider_1", "provider_2", "provider_3", "provider_4", "provider_5"],
      nextId: () => "0".repeat(26),
    });
    for (const kind of POLICY_KINDS) {
      const rules = written(kind, 123_456);
      assert.equal(rules.length, 10);
      const judged = validate({ rules });
      assert.ok(judged.ok && judged.warnings.length === 0);
      // The rules are already in normal form, as the service would have stored them.
      assert.deepEqual(judged.policy.rules, rules);
    }
  });

  it("template: rules differ in their ids alone", () => {
    assert.deepEqual(withoutIds(written("template", 1)), withoutIds([...GROWN_RULES]));
    assert.notDeepEqual(written("template", 1), written("template", 2));
    assert.equal(new Set(written("template", 1).map((rule) => rule.rule_id)).size, 10);
  });

  it("own: names differ, and no two merchants of a million have the same thresholds", () => {
    const thresholds = (merchant: number): string =>
      written("own", merchant)
        .map(({ when }) => when.amount_gte)
        .join();
    const some = [0, 1, 999, 1_000, 1_001, 500_000, 999_999];
    assert.equal(new Set(some.map(thresholds)).size, some.length);
    assert.equal(thresholds(999_999), "50999,,,30999,,1999,,,100,1999");
    assert.ok(written("own", 12).every(({ name }) => name.endsWith("_12")));
  });

  it("are sampled evenly, with the first and the last", () => {
    assert.deepEqual(evenly(1_000_000, 5), [0, 250_000, 500_000, 749_999, 999_999]);
    assert.deepEqual(evenly(3, 5), [0, 1, 2]);
  });
});

describe("growth floors", () => {
  const restarts = (readyMs: number, mebibytes: number): RestartFigures => ({
    readyMs: [readyMs],
    startedMebibytes: [mebibytes],
    usedMebibytes: [mebibytes],
  });
  const beside = (p99Ms: number, publishes = 10, refused = 0): BesideFigures => ({
    alone: [{ p50Ms: 1, p99Ms: 1 }],
    beside: [{ p50Ms: 1, p99Ms }],
    publishesPerSecond: [publishes],
    refused,
  });
  const over = (...rates: number[]): OverMerchants[] =>
    rates.map((rate, position) => ({
      merchants: 10 ** position,
      requestsPerSecond: [rate],
      p99Ms: [1],
      serverCpuMicros: [1],
    }));
  const verdicts = (results: readonly { passed: boolean }[]): boolean[] =>
    results.map(({ passed }) => passed);

  it("take a ratio within each round, then the median; no rounds pass nothing", () => {
    assert.equal(timesOf([2, 40, 6], [1, 10, 3]), 2);
    assert.ok(Number.isNaN(timesOf([], [])));
    assert.ok(!publishFloor({ small: [], large: [] }).passed);
  });

  it("a restart: at most 1.5 times, and 64 MiB more", () => {
    const small = restarts(1000, 200);
    assert.deepEqual(verdicts(restartFloors({ small, large: restarts(1500, 264) })), [true, true, true]);
    assert.deepEqual(verdicts(restartFloors({ small, large: restarts(1501, 265) })), [false, false, false]);
  });

  it("a publish: at most 1.5 times", () => {
    assert.ok(publishFloor({ small: [40], large: [60] }).passed);
    assert.ok(!publishFloor({ small: [40], large: [61] }).passed);
  });

  it("other requests take at most 1.3 times as long beside publishes, while nine in ten publishes answer as with few", () => {
    const small = beside(10);
    assert.deepEqual(verdicts(besideFloors({ small, large: beside(13, 9) })), [true, true, true]);
    assert.deepEqual(verdicts(besideFloors({ small, large: beside(13.1, 8.9, 1) })), [false, false, false]);
    const slow = { small: beside(40, 5), large: beside(50, 4.6) };
    assert.deepEqual(verdicts(besideFloors(slow)), [true, true, true]);
  });

  it("throughput: at least the floor of each kind of policies", () => {
    for (const kind of POLICY_KINDS) {
      const { many, all } = GROWTH_FLOORS.throughputMin[kind];
      assert.deepEqual(verdicts(throughputFloors(kind, over(1000, 1000 * many, 1000 * all))), [true, true]);
      assert.deepEqual(verdicts(throughputFloors(kind, over(1000, 999 * many, 999 * all))), [false, false]);
    }
  });
});

describe("growth faults", () => {
  it("any reply but a 200 fails the bench", () => {
    const results = faultFloors("large:", [{ "status 503": 5 }, {}, { "status 503": 7 }]);
    assert.deepEqual(results, [{ passed: false, line: "large: 12 requests without a 200: status 503" }]);
    assert.deepEqual(faultFloors("large:", [{}]), []);
  });
});

describe("private memory", () => {
  it("is memory without a file, excluding returned pages", () => {
    const rollup = ["Rss:  900000 kB", "Anonymous:  307200 kB", "LazyFree:  2048 kB", "Pss_File: 5 kB"].join(
      "\n",
    );
    assert.equal(anonymousMebibytes(rollup), 298);
    assert.throws(() => anonymousMebibytes("Rss: 1 kB"), /no Anonymous/);
  });
});
