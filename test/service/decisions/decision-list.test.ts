import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { reportOutcomes } from "../../support/people/feedback.js";
import {
  decisionBody,
  send,
  sendRead,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { createKey, createWorkspace, newId, publish } from "../../support/people/tenants.js";

let service: RunningService;
let workspaceId: string;
let keys: { all: string; shopA: string; live: string; stranger: string };
/** The decisions in the order of their creation, oldest first. */
const made: { id: string; orderId: string }[] = [];
const ORDERS = ["order_1", "order_2", "order_1", "order_3", "order_1"];

type Row = Record<string, unknown>;
const list = (query = "", key = keys.all): Promise<Reply> =>
  sendRead(service, "GET", `/v1/decisions${query}`, { key });
const rowsOf = ({ status, json, text }: Reply): Row[] => {
  assert.equal(status, 200, text);
  return json["decisions"] as Row[];
};
const idsOf = (reply: Reply): unknown[] => rowsOf(reply).map((row) => row["decision_id"]);

async function decide(changes: Record<string, unknown>, key = keys.all): Promise<string> {
  const body = decisionBody({ merchant_id: "shop_b", ...changes });
  const { status, json, text } = await send(service, "POST", "/v1/decision", { body, key });
  assert.equal(status, 200, text);
  return String(json["decision_id"]);
}

before(async () => {
  service = await sharedTestService();
  const other = await createWorkspace(service, { merchants: ["shop_a"] });
  workspaceId = await createWorkspace(service, { merchants: ["shop_b", "shop_a"] });
  const { pool } = service;
  const all = await createKey(pool, workspaceId);
  keys = {
    all,
    shopA: await createKey(pool, workspaceId, { merchantId: "shop_a" }),
    live: await createKey(pool, workspaceId, { mode: "live" }),
    stranger: await createKey(pool, other),
  };
  for (const orderId of ORDERS) made.push({ id: await decide({ order_id: orderId }), orderId });
});

describe("GET /v1/decisions", () => {
  it("LOG-1, LOG-7, LOG-9: lists rows of the specification's fields, newest first", async () => {
    const rows = rowsOf(await list());
    assert.deepEqual(
      rows.slice(0, ORDERS.length).map((row) => row["decision_id"]),
      made.map(({ id }) => id).toReversed(),
    );
    const detail = await sendRead(service, "GET", `/v1/decisions/${made[4]?.id}`, { key: keys.all });
    const { route, risk, model, transaction, policy } = detail.json as Record<string, Row>;
    assert.deepEqual(rows[0], {
      decision_id: made[4]?.id,
      merchant_id: "shop_b",
      order_id: "order_1",
      created_at: detail.json["created_at"],
      mode: "test",
      decision_mode: "enforce",
      action: "route",
      primary_provider: route?.["primary_provider"],
      fallback_provider: route?.["fallback_provider"],
      amount: 129_900,
      amount_bucket: "100k_500k",
      currency: "USD",
      country: transaction?.["country"],
      payment_method: "card",
      risk_score: risk?.["score"],
      risk_band: risk?.["band"],
      provider_health_source: detail.json["provider_health_source"],
      decision_latency_ms: detail.json["decision_latency_ms"],
      reason_codes: detail.json["reason_codes"],
      model_version: model?.["model_version"],
      matched_rules: policy?.["matched_rules"],
      review: null,
      outcome: null,
    });
  });

  it("LIST-1, LIST-5, LOG-6: shows page, page_size, total and has_more, 25 rows by default", async () => {
    const { json } = await list();
    assert.deepEqual(Object.keys(json), ["page", "page_size", "total", "has_more", "decisions"]);
    assert.deepEqual([json["page"], json["page_size"], json["has_more"]], [1, 25, false]);
    assert.equal(json["total"], (json["decisions"] as Row[]).length);
  });

  it("LIST-4: pages by offset with the exact total", async () => {
    const whole = idsOf(await list("?page_size=100"));
    for (let page = 1; 2 * (page - 1) < whole.length + 2; page++) {
      const reply = await list(`?page_size=2&page=${page}`);
      assert.deepEqual(idsOf(reply), whole.slice(2 * page - 2, 2 * page));
      assert.equal(reply.json["total"], whole.length);
      assert.equal(reply.json["has_more"], 2 * page < whole.length);
    }
  });

  it("REV-13: order=oldest begins with the oldest row, and is refused beside a cursor", async () => {
    const newest = idsOf(await list("?page_size=100&order=newest"));
    assert.deepEqual(newest, idsOf(await list("?page_size=100")));
    assert.deepEqual(idsOf(await list("?page_size=100&order=oldest")), newest.toReversed());
    const second = await list("?page_size=2&page=2&order=oldest&order_id=order_1");
    const ofOrder = idsOf(await list("?order_id=order_1")).toReversed();
    assert.ok(ofOrder.length > 2);
    assert.deepEqual([idsOf(second), second.json["total"]], [ofOrder.slice(2, 4), ofOrder.length]);
    const beside = await list(`?order=oldest&starting_after=${made[0]?.id}`);
    assert.deepEqual(
      [beside.status, beside.json["issues"]],
      [400, [{ path: "query.order", code: "custom", message: "Must not be combined with a cursor" }]],
    );
    assert.equal((await list("?order=random")).status, 400);
  });

  it("LIST-4: an offset beyond the 10000th row gives an empty page with has_more false", async () => {
    const { json } = await list("?page_size=100&page=101");
    assert.deepEqual([json["decisions"], json["has_more"]], [[], false]);
    for (const page of [10 ** 15 - 1, 10 ** 15, Number.MAX_SAFE_INTEGER]) {
      const far = await list(`?page=${page}`);
      assert.deepEqual([far.status, far.json["decisions"], far.json["has_more"]], [200, [], false]);
      assert.equal(far.json["page"], page);
    }
  });

  it("LOG-2: order_id matches exactly and returns every decision of the order", async () => {
    const reply = await list("?order_id=order_1");
    const expected = made.filter(({ orderId }) => orderId === "order_1").map(({ id }) => id);
    assert.deepEqual(idsOf(reply).slice(0, 3), expected.toReversed());
    assert.deepEqual(idsOf(await list("?order_id=order")), []);
    const odd = "a b&c=d%/é";
    const id = await decide({ order_id: odd });
    assert.deepEqual(idsOf(await list(`?order_id=${encodeURIComponent(odd)}`)), [id]);
    const long = "😀".repeat(128);
    const ofLong = await decide({ order_id: long });
    assert.deepEqual(idsOf(await list(`?order_id=${encodeURIComponent(long)}`)), [ofLong]);
    const replaced = "100% \uFFFD";
    const other = await decide({ order_id: replaced });
    assert.deepEqual(idsOf(await list(`?order_id=${encodeURIComponent(replaced)}`)), [other]);
    assert.deepEqual(idsOf(await list("?order_id=100%+%EF%BF%BD")), [other]);
  });

  it("LIST-2, LIST-5: starting_after returns older rows, ending_before the adjacent newer ones, newest first; no total", async () => {
    const whole = idsOf(await list("?page_size=100"));
    const older = await list(`?page_size=2&starting_after=${String(whole[1])}`);
    assert.deepEqual(idsOf(older), whole.slice(2, 4));
    assert.deepEqual([older.json["has_more"], "total" in older.json], [true, false]);
    const newer = await list(`?page_size=2&ending_before=${String(whole[4])}`);
    assert.deepEqual(idsOf(newer), whole.slice(2, 4));
    assert.deepEqual([newer.json["has_more"], "total" in newer.json], [true, false]);
    assert.equal((await list(`?page_size=2&ending_before=${String(whole[2])}`)).json["has_more"], false);
    assert.deepEqual(idsOf(await list(`?ending_before=${String(whole[0])}`)), []);
  });

  it("LOG-10: sees a decision at once in the list", async () => {
    for (let i = 0; i < 10; i++) {
      const id = await decide({ order_id: `at_once_${i}` });
      assert.equal(idsOf(await list("?page_size=1"))[0], id);
    }
  });
});

describe("GET /v1/decisions, filters", () => {
  it("LOG-2, LOG-3, LOG-4, REV-7: action, decision_mode, unresolved and range combine", async () => {
    const held = await createWorkspace(service, { merchants: ["shop_b"] });
    const key = await createKey(service.pool, held);
    await publish(service, {
      workspaceId: held,
      merchantId: "shop_b",
      key,
      rules: [{ name: "Hold", when: { amount_gte: 500_000 }, then: { type: "hold" } }],
    });
    const transaction = { amount: 500_000, currency: "USD", country: "US", payment_method: "card" };
    const hold = await decide({ transaction }, key);
    const reported = await decide({ transaction }, key);
    const shadow = await decide({ transaction, decision_mode: "shadow" }, key);
    const routed = await decide({}, key);
    await reportOutcomes(
      service,
      held,
      key,
      new Map([[reported, { outcome: "hard_declined", providerUsed: "provider_2" }]]),
    );
    const cases: [query: string, ids: string[]][] = [
      ["?action=hold", [shadow, reported, hold]],
      ["?action=hold&decision_mode=shadow", [shadow]],
      ["?action=hold&decision_mode=enforce", [reported, hold]],
      // The review queue excludes shadow decisions and decisions with an outcome.
      ["?action=hold&unresolved=true", [hold]],
      ["?action=hold&unresolved=false", [shadow, reported, hold]],
      ["?unresolved=true&decision_mode=shadow", []],
      ["?action=hold&range=24h", [shadow, reported, hold]],
      ["?action=hold&range=90d&unresolved=true&order_id=order_1", [hold]],
      ["?action=hold&range=last_tuesday", [shadow, reported, hold]],
      ["?action=hold&range=", [shadow, reported, hold]],
      // A name that every object has is an unknown value like any other.
      ["?action=hold&range=constructor", [shadow, reported, hold]],
      ["?action=hold&range=__proto__", [shadow, reported, hold]],
      ["?action=block", []],
    ];
    for (const [query, ids] of cases) {
      const reply = await list(query, key);
      assert.deepEqual(idsOf(reply), ids, query);
      assert.equal(reply.json["total"], ids.length, query);
    }
    assert.ok(idsOf(await list("?unresolved=true", key)).includes(routed));
    const row = rowsOf(await list("?action=hold&page=1", key)).find((row) => row["decision_id"] === reported);
    assert.deepEqual(row?.["outcome"], {
      outcome: "hard_declined",
      provider_used: "provider_2",
      provider_latency_ms: 321,
      failure_class: "hard_decline",
    });
    assert.equal(row?.["amount_bucket"], "gte_500k");
  });

  it("AUTH-18, LOG-1: a merchant-scoped key sees only its merchant's decisions", async () => {
    const own = await decide({ merchant_id: "shop_a", order_id: "of_shop_a" });
    const reply = await list("", keys.shopA);
    assert.ok(idsOf(reply).includes(own));
    assert.ok(rowsOf(reply).every((row) => row["merchant_id"] === "shop_a"));
    assert.equal(reply.json["total"], rowsOf(reply).length);
    assert.deepEqual(idsOf(await list("?order_id=order_1", keys.shopA)).includes(made[0]?.id), false);
  });

  it("LOG-19: merchant_id keeps that merchant's decisions, and a key of another merchant sees none", async () => {
    const own = await decide({ merchant_id: "shop_a" });
    const ofA = await list("?merchant_id=shop_a");
    assert.equal(idsOf(ofA)[0], own);
    assert.ok(rowsOf(ofA).every((row) => row["merchant_id"] === "shop_a"));
    assert.equal(ofA.json["total"], rowsOf(ofA).length);
    assert.deepEqual(idsOf(await list("?merchant_id=shop_a", keys.shopA)), idsOf(await list("", keys.shopA)));
    const ofB = await list("?merchant_id=shop_b", keys.shopA);
    assert.deepEqual([idsOf(ofB), ofB.json["total"], ofB.json["has_more"]], [[], 0, false]);
    const beside = await list(`?merchant_id=shop_b&starting_after=${own}`, keys.shopA);
    assert.deepEqual([idsOf(beside), beside.json["has_more"]], [[], false]);
    assert.deepEqual(idsOf(await list("?merchant_id=shop_unknown")), []);
  });

  it("LOG-21, LOG-29: currency, country, payment_method, card_network and provider filter, together and alone", async () => {
    const faceted = await createWorkspace(service, { merchants: ["shop_b"] });
    // `createWorkspace` made its decision in test mode, so this test counts in live mode.
    const key = await createKey(service.pool, faceted, { mode: "live" });
    const of = (changes: object): Record<string, unknown> => ({
      transaction: { amount: 1000, currency: "USD", country: "US", payment_method: "card", ...changes },
    });
    const plain = await decide(of({}), key);
    const visa = await decide(of({ card_network: "visa" }), key);
    const naira = await decide(of({ currency: "NGN", country: "NG" }), key);
    const bank = await decide(of({ currency: "NGN", country: "NG", payment_method: "bank_transfer" }), key);
    const everything = [bank, naira, visa, plain];
    const { json } = await list("", key);
    const providerOf = new Map(
      (json["decisions"] as Row[]).map((row) => [row["decision_id"], row["primary_provider"]]),
    );
    const provider = String(providerOf.get(visa));
    for (const [query, ids] of [
      ["currency=NGN", [bank, naira]],
      ["currency=NGN&payment_method=card", [naira]],
      ["country=US", [visa, plain]],
      ["card_network=visa", [visa]],
      ["card_network=amex", []],
      ["card_network=-", [bank, naira, plain]],
      ["card_network=-&payment_method=card&currency=NGN", [naira]],
      ["country=-", []],
      ["provider=-", []],
      ["currency=XAF", []],
      [
        "merchant_id=shop_b&currency=USD&country=US&payment_method=card&range=24h&action=route",
        [visa, plain],
      ],
      [`provider=${provider}`, everything.filter((id) => providerOf.get(id) === provider)],
      ["provider=provider_gone", []],
      ["currency=NGN&order_id=order_9", []],
      ["currency=NGN&unresolved=true", [bank, naira]],
    ] as const) {
      const reply = await list(`?${query}`, key);
      assert.deepEqual([idsOf(reply), reply.json["total"]], [ids, ids.length], query);
    }
    const older = await list(`?currency=USD&page_size=1&starting_after=${naira}`, key);
    assert.deepEqual([idsOf(older), older.json["has_more"]], [[visa], true]);
  });

  it("LOG-20: from is included and to is not", async () => {
    const [first, , third] = made.map(({ id }) => id) as [string, string, string];
    const whole = rowsOf(await list("?page_size=100"));
    const timeOf = (id: string): string =>
      String(whole.find((row) => row["decision_id"] === id)?.["created_at"]);
    const [from, to] = [timeOf(first), timeOf(third)];
    const within = whole.filter(({ created_at }) => String(created_at) >= from && String(created_at) < to);
    assert.ok(within.length > 0 && within.length < whole.length);
    const ids = within.map((row) => row["decision_id"]);
    const reply = await list(`?from=${from}&to=${to}`);
    assert.deepEqual([idsOf(reply), reply.json["total"]], [ids, ids.length]);
    const after = await list(`?from=${from}&to=${to}&starting_after=${third}`);
    assert.deepEqual(idsOf(after), ids);
    // An offset from UTC names the same moment.
    const elsewhere = `${new Date(Date.parse(from) + 7_200_000).toISOString().slice(0, -1)}%2B02:00`;
    assert.deepEqual(idsOf(await list(`?from=${elsewhere}&to=${to}`)), ids);
    assert.deepEqual(idsOf(await list("?from=0001-01-01T00:00:00Z&to=1969-12-31T23:59:59Z")), []);
    const all = await list("?from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z&page_size=100");
    assert.deepEqual(
      idsOf(all),
      whole.map((row) => row["decision_id"]),
    );
  });

  it("SVC-10: keeps modes and workspaces apart", async () => {
    assert.deepEqual(idsOf(await list("", keys.live)), []);
    assert.equal(idsOf(await list("", keys.stranger)).includes(made[0]?.id), false);
  });
});

describe("cursors and parameters of lists", () => {
  it("ERR-17, LIST-3: an unknown cursor and another tenant's both give an empty page", async () => {
    const foreign = await decide({ merchant_id: "shop_a" }, keys.stranger);
    const replies = await Promise.all(
      [newId("dec"), foreign].flatMap((id) => [list(`?starting_after=${id}`), list(`?ending_before=${id}`)]),
    );
    for (const { status, text } of replies) {
      assert.equal(status, 200);
      assert.equal(text, '{"page":1,"page_size":25,"has_more":false,"decisions":[]}');
    }
    // For a merchant's key, another merchant's decision is like another tenant's.
    assert.deepEqual(idsOf(await list(`?starting_after=${made[4]?.id}`, keys.shopA)), []);
  });

  const SOME_ID = "dec_01jd3vwz6c9k2m4n6p8r0s2t4v";
  const bad: [query: string, path: string, code: string][] = [
    ["?page_size=0", "query.page_size", "too_small"],
    ["?page_size=101", "query.page_size", "too_big"],
    ["?page_size=2.5", "query.page_size", "invalid_type"],
    ["?page_size=", "query.page_size", "invalid_type"],
    ["?page=0", "query.page", "too_small"],
    ["?page=first", "query.page", "invalid_type"],
    [`?page=${2 ** 53}`, "query.page", "too_big"],
    ["?action=refund", "query.action", "invalid_enum_value"],
    ["?decision_mode=both", "query.decision_mode", "invalid_enum_value"],
    ["?unresolved=1", "query.unresolved", "invalid_type"],
    ["?merchant_id=", "query.merchant_id", "too_small"],
    [`?merchant_id=${"x".repeat(129)}`, "query.merchant_id", "too_big"],
    ["?merchant_id=a%20b", "query.merchant_id", "invalid_string"],
    ["?currency=usd", "query.currency", "invalid_string"],
    ["?currency=US", "query.currency", "too_small"],
    ["?country=U", "query.country", "invalid_string"],
    ["?country=--", "query.country", "invalid_string"],
    ["?provider=a-b", "query.provider", "invalid_string"],
    ["?currency=-", "query.currency", "too_small"],
    ["?country=USA", "query.country", "too_big"],
    ["?payment_method=cash", "query.payment_method", "invalid_enum_value"],
    ["?card_network=jcb", "query.card_network", "invalid_enum_value"],
    ["?provider=", "query.provider", "too_small"],
    ["?from=yesterday", "query.from", "invalid_string"],
    ["?from=2026-02-30T00:00:00Z", "query.from", "invalid_string"],
    ["?to=2026-11-26", "query.to", "invalid_string"],
    ["?to=", "query.to", "invalid_string"],
    ["?from=2026-11-26T10:00:00Z&to=2026-11-26T10:00:00Z", "query.to", "custom"],
    ["?range=all&from=2026-11-26T10:00:00Z", "query.range", "custom"],
    ["?from=2026-11-26T10:00:00Z&from=2026-11-26T10:00:00Z", "query.from", "custom"],
    ["?order_id=", "query.order_id", "too_small"],
    [`?order_id=${"x".repeat(129)}`, "query.order_id", "too_big"],
    [`?order_id=${"%F0%9F%9B%92".repeat(129)}`, "query.order_id", "too_big"],
    ["?order_id=%00", "query.order_id", "invalid_string"],
    ["?order_id=%FF", "query.order_id", "invalid_string"],
    ["?order_id=%ED%A0%80", "query.order_id", "invalid_string"],
    ["?starting_after=dec_nonsense", "query.starting_after", "invalid_string"],
    ["?ending_before=", "query.ending_before", "invalid_string"],
    [`?starting_after=${SOME_ID}&ending_before=${SOME_ID}`, "query.ending_before", "custom"],
    ["?page=1&page=2", "query.page", "custom"],
  ];
  for (const [query, path, code] of bad) {
    it(`ERR-6, LIST-3: ${query.slice(0, 40)} is a 400 of ${path}`, async () => {
      const { status, json } = await list(query);
      assert.equal(status, 400);
      assert.equal(json["error"], "validation_error");
      assert.deepEqual(
        (json["issues"] as Row[]).map((issue) => [issue["path"], issue["code"]]),
        [[path, code]],
      );
    });
  }

  it("AUTH-12, LOG-1: requires policy:read", async () => {
    const key = await createKey(service.pool, workspaceId, { scopes: ["decision:write"] });
    for (const path of ["", "/aggregate", "/shadow-report"]) {
      const { status, json } = await send(service, "GET", `/v1/decisions${path}`, { key });
      assert.deepEqual([status, json["message"]], [403, "API key is missing scopes: policy:read"]);
    }
  });
});
