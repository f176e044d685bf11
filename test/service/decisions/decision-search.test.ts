import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { PayInferenceClient } from "payinference/client";
import { RISK_BANDS } from "../../../src/domain/vocabulary/vocabulary.js";
import { reportOutcomes } from "../../support/people/feedback.js";
import { createKey, createWorkspace } from "../../support/people/tenants.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import {
  decisionBody,
  send,
  sendRead,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";

let service: RunningService;
let keys: { all: string; shopA: string; stranger: string };
/** The decisions' ids by a name that the test gives them. */
const ids = new Map<string, string>();

const list = (query: string, key = keys.all): Promise<Reply> =>
  sendRead(service, "GET", `/v1/decisions${query}`, { key });
const idOf = (name: string): string => ids.get(name) ?? assert.fail(name);
const namesOf = ({ status, json, text }: Reply): string[] => {
  assert.equal(status, 200, text);
  const rows = json["decisions"] as { decision_id: string }[];
  return rows.map(({ decision_id }) => [...ids].find(([, id]) => id === decision_id)?.[0] ?? decision_id);
};

async function decide(name: string, changes: Record<string, unknown>, transaction: object): Promise<void> {
  const body = decisionBody({
    merchant_id: "shop_b",
    order_id: name,
    ...changes,
    transaction: { amount: 1000, currency: "USD", country: "US", payment_method: "card", ...transaction },
  });
  const { status, json, text } = await send(service, "POST", "/v1/decision", { body, key: keys.all });
  assert.equal(status, 200, text);
  ids.set(name, String(json["decision_id"]));
}

before(async () => {
  service = await sharedTestService();
  const workspaceId = await createWorkspace(service, { merchants: ["shop_b", "shop_a"] });
  const other = await createWorkspace(service, { merchants: ["shop_a"] });
  const { pool } = service;
  // `createWorkspace` made its decisions in test mode, so these tests search in live mode.
  const mode = "live";
  const all = await createKey(pool, workspaceId, { mode });
  const shopA = await createKey(pool, workspaceId, { mode, merchantId: "shop_a" });
  keys = { all, shopA, stranger: await createKey(pool, other, { mode }) };
  await decide("ord-1", {}, { amount: 100 });
  // The next decisions are of a later millisecond, so that an interval can begin after this one.
  while (Date.now() <= (await createdMs("ord-1"))) await sleep(1);
  await decide("ord-10", {}, { amount: 200 });
  await decide("ord-11", { merchant_id: "shop_a" }, { amount: 300, currency: "NGN", country: "NG" });
  await decide("ord-2", { merchant_id: "shop_a" }, { amount: 400, risk_score: 97 });
  await decide("a_%b", {}, { amount: 500 });
  const used = { mode, outcome: "hard_declined", providerUsed: "provider_2" } as const;
  await reportOutcomes(service, workspaceId, all, new Map([[idOf("ord-10"), used]]));
});

async function createdMs(name: string): Promise<number> {
  return Date.parse(String((await list(`/${idOf(name)}`)).json["created_at"]));
}

/** Checks that each query finds these decisions, newest first, and counts them. */
async function assertFinds(cases: readonly [query: string, names: string[]][], key?: string): Promise<void> {
  for (const [query, names] of cases) {
    const reply = await list(query, key);
    assert.deepEqual(namesOf(reply), names, query);
    assert.deepEqual([reply.json["total"], reply.json["has_more"]], [names.length, false], query);
    assert.ok(!("searched_to" in reply.json), query);
  }
}

describe("GET /v1/decisions, filters that no rollup counts", () => {
  it("LOG-22: amount_min and amount_max are included, in minor units of any currency", async () => {
    await assertFinds([
      ["?amount_min=300", ["a_%b", "ord-2", "ord-11"]],
      ["?amount_max=200", ["ord-10", "ord-1"]],
      ["?amount_min=200&amount_max=400", ["ord-2", "ord-11", "ord-10"]],
      ["?amount_min=200&amount_max=400&currency=USD", ["ord-2", "ord-10"]],
      ["?amount_min=300&amount_max=300", ["ord-11"]],
      ["?amount_min=0&amount_max=9007199254740991", ["a_%b", "ord-2", "ord-11", "ord-10", "ord-1"]],
      ["?amount_min=501", []],
    ]);
    const faults: [query: string, path: string, code: string][] = [
      ["?amount_min=300&amount_max=299", "query.amount_max", "custom"],
      ["?amount_min=-1", "query.amount_min", "too_small"],
      ["?amount_max=9007199254740992", "query.amount_max", "too_big"],
      ["?amount_max=1.5", "query.amount_max", "invalid_type"],
      ["?amount_min=", "query.amount_min", "invalid_type"],
    ];
    for (const [query, path, code] of faults) {
      const { status, json } = await list(query);
      const [issue] = json["issues"] as { path: string; code: string }[];
      assert.deepEqual([status, issue?.path, issue?.code], [400, path, code], query);
    }
  });

  it("LOG-23: risk_band keeps a band, and outcome a stored outcome", async () => {
    const everything = ["a_%b", "ord-2", "ord-11", "ord-10", "ord-1"];
    const rows = (await list("")).json["decisions"] as { risk_band: string }[];
    await assertFinds(
      RISK_BANDS.map((band) => [
        `?risk_band=${band}`,
        everything.filter((_, at) => rows[at]?.risk_band === band),
      ]),
    );
    await assertFinds([
      ["?outcome=hard_declined", ["ord-10"]],
      ["?outcome=approved", []],
    ]);
    assert.equal((await list("?risk_band=huge")).status, 400);
    assert.equal((await list("?outcome=none")).status, 400);
  });

  it("LOG-24: reason_code keeps decisions with this code, and a part of a code is none", async () => {
    const { json } = await list("");
    const rows = json["decisions"] as { decision_id: string; reason_codes: string[] }[];
    const code = rows.find(({ decision_id }) => decision_id === idOf("ord-2"))?.reason_codes[0] ?? "";
    const having = rows.filter(({ reason_codes }) => reason_codes.includes(code));
    assert.ok(having.length > 0 && having.length < rows.length, code);
    const names = having.map((row) => [...ids].find(([, id]) => id === row.decision_id)?.[0] ?? "");
    await assertFinds([
      [`?reason_code=${code}`, names],
      [`?reason_code=${code.slice(0, -1)}`, []],
      ["?reason_code=NOBODY_KNOWS_THIS", []],
    ]);
    assert.equal((await list("?reason_code=lower")).status, 400);
    assert.equal((await list("?reason_code=")).status, 400);
  });

  it("LOG-25, TEN-1: they combine with each other and with all others, within the key's own", async () => {
    await assertFinds([
      ["?amount_min=200&outcome=hard_declined", ["ord-10"]],
      ["?amount_min=300&outcome=hard_declined", []],
      ["?amount_min=200&merchant_id=shop_a", ["ord-2", "ord-11"]],
      ["?amount_min=200&order_id=ord-10", ["ord-10"]],
      ["?amount_min=201&order_id=ord-10", []],
      ["?amount_max=400&action=block&range=24h", ["ord-2"]],
      ["?q=ord&amount_min=200&currency=USD", ["ord-2", "ord-10"]],
      ["?q=ord-10&amount_min=201", []],
      ["?amount_min=100&order=oldest", ["ord-1", "ord-10", "ord-11", "ord-2", "a_%b"]],
      ["?amount_min=100&unresolved=true&amount_max=200", ["ord-1"]],
    ]);
    await assertFinds([["?amount_min=1", ["ord-2", "ord-11"]]], keys.shopA);
    await assertFinds([["?amount_min=1&merchant_id=shop_b", []]], keys.shopA);
    await assertFinds([["?amount_min=1", []]], keys.stranger);
  });

  it("LOG-25, LIST-2, LIST-4: pages by offset and by cursor both ways", async () => {
    const second = await list("?amount_min=200&page_size=2&page=2");
    assert.deepEqual(namesOf(second), ["ord-11", "ord-10"]);
    assert.deepEqual([second.json["total"], second.json["has_more"]], [4, false]);
    const older = await list(`?amount_min=200&page_size=2&starting_after=${idOf("a_%b")}`);
    assert.deepEqual(namesOf(older), ["ord-2", "ord-11"]);
    assert.deepEqual([older.json["has_more"], "total" in older.json], [true, false]);
    const newer = await list(`?amount_min=200&page_size=2&ending_before=${idOf("ord-10")}`);
    assert.deepEqual(namesOf(newer), ["ord-2", "ord-11"]);
    assert.equal(newer.json["has_more"], true);
    const strange = await list(`?amount_min=200&starting_after=${idOf("a_%b")}`, keys.stranger);
    assert.deepEqual([namesOf(strange), strange.json["has_more"]], [[], false]);
  });
});

describe("LOG-26: GET /v1/decisions, q", () => {
  it("takes a known id as exactly that, and else as the beginning of ids", async () => {
    const id = idOf("ord-2");
    await assertFinds([
      [`?q=${id}`, ["ord-2"]],
      ["?q=ord-1", ["ord-1"]],
      ["?q=ord", ["ord-2", "ord-11", "ord-10", "ord-1"]],
      ["?q=ord-11", ["ord-11"]],
      ["?q=a_%25", ["a_%b"]],
      ["?q=a__", []],
      ["?q=ORD", []],
      [
        `?q=${id.slice(0, -1)}`,
        [...ids].filter(([, of]) => of.startsWith(id.slice(0, -1))).map(([name]) => name),
      ],
      ["?q=dec_", ["a_%b", "ord-2", "ord-11", "ord-10", "ord-1"]],
      [`?q=${id.slice(0, 9)}`, ["a_%b", "ord-2", "ord-11", "ord-10", "ord-1"]],
      [`?q=dec_7${"z".repeat(25)}`, []],
      ["?q=dec_u", []],
      [`?q=${id}&currency=NGN`, []],
    ]);
  });

  it("a known order outside of the interval is the beginning of others", async () => {
    const at = new Date(await createdMs("ord-10")).toISOString();
    await assertFinds([
      [`?q=ord-1&from=${at}`, ["ord-11", "ord-10"]],
      [`?q=ord-1&to=${at}`, ["ord-1"]],
      [`?q=${idOf("ord-1")}&from=${at}`, []],
    ]);
  });

  it("looks among the key's own: another merchant's exact id is the beginning of its own orders", async () => {
    await assertFinds(
      [
        ["?q=ord-1", ["ord-11"]],
        [`?q=${idOf("ord-1")}`, []],
      ],
      keys.shopA,
    );
    await assertFinds(
      [
        ["?q=ord", []],
        [`?q=${idOf("ord-2")}`, []],
      ],
      keys.stranger,
    );
  });

  it("has 3 to 128 characters, and excludes order_id", async () => {
    for (const [query, code] of [
      ["?q=or", "too_small"],
      ["?q=", "too_small"],
      [`?q=${"x".repeat(129)}`, "too_big"],
      ["?q=or%00", "invalid_string"],
      ["?q=ord&order_id=ord-1", "custom"],
    ]) {
      const { status, json } = await list(query as string);
      const [issue] = json["issues"] as { path: string; code: string }[];
      assert.deepEqual([status, issue?.path, issue?.code], [400, "query.q", code], query);
    }
    await assertFinds([[`?q=${encodeURIComponent("😀".repeat(128))}`, []]]);
  });
});

describe("the client library", () => {
  it("LOG-22, LOG-26: lists by the new filters", async () => {
    const client = new PayInferenceClient({ baseUrl: service.url, apiKey: keys.all });
    const found: string[] = [];
    for await (const { order_id } of client.decisions({ q: "ord", amount_min: 200, page_size: 1 })) {
      found.push(order_id);
    }
    assert.deepEqual(found, ["ord-2", "ord-11", "ord-10"]);
  });
});
