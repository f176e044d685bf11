import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { idTimeMs } from "../../../src/domain/ids/ids.js";
import { decisionBody, send, type Reply, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { createKey, createWorkspace, newId } from "../../support/people/tenants.js";

let service: RunningService;
let keys: {
  test: string;
  live: string;
  shopA: string;
  shopB: string;
  stranger: string;
};
before(async () => {
  service = await sharedTestService();
  const [own, other] = await Promise.all([
    createWorkspace(service, { merchants: ["shop_a", "shop_b"] }),
    createWorkspace(service, { merchants: ["shop_a", "shop_b"] }),
  ]);
  const { pool } = service;
  const [test, live, shopA, shopB, stranger] = await Promise.all([
    createKey(pool, own),
    createKey(pool, own, { mode: "live" }),
    createKey(pool, own, { merchantId: "shop_a" }),
    createKey(pool, own, { merchantId: "shop_b" }),
    createKey(pool, other),
  ]);
  keys = { test, live, shopA, shopB, stranger };
});

async function decide(key: string, changes: Record<string, unknown> = {}): Promise<Reply> {
  const body = decisionBody({ merchant_id: "shop_a", ...changes });
  const reply = await send(service, "POST", "/v1/decision", { body, key });
  assert.equal(reply.status, 200, reply.text);
  return reply;
}

const read = (key: string, decisionId: unknown, path = String(decisionId)) =>
  send(service, "GET", `/v1/decisions/${path}`, { key });

/** An answer without the parts that differ between any two answers. */
function comparable({ status, headers, text }: Reply): unknown {
  const rest = [...headers].filter(([name]) => name !== "x-request-id" && name !== "date");
  return { status, headers: rest, text };
}

describe("Key mode", () => {
  it("RES-3, SVC-9, SVC-10: comes from the key and marks the decision", async () => {
    for (const [key, mode] of [
      [keys.test, "test"],
      [keys.live, "live"],
    ] as const) {
      const { json } = await decide(key);
      assert.equal(json["mode"], mode);
      assert.equal((await read(key, json["decision_id"])).json["mode"], mode);
    }
  });

  it("AUTH-16, SVC-10: keeps the decisions of the modes apart: 404 to a key of the other one", async () => {
    const inTest = (await decide(keys.test)).json["decision_id"];
    const inLive = (await decide(keys.live)).json["decision_id"];
    assert.equal((await read(keys.test, inLive)).status, 404);
    assert.equal((await read(keys.live, inTest)).status, 404);
    assert.equal((await read(keys.test, inTest)).status, 200);
    assert.equal((await read(keys.live, inLive)).status, 200);
  });

  it("SVC-9: decides identically in both modes", async () => {
    const body = {
      order_id: "same",
      transaction: { amount: 5, currency: "JPY", country: "JP", payment_method: "card" },
    };
    // A prober tick may fall between the two decisions. The loop compares a pair that saw the same health.
    for (let attempt = 0; ; attempt++) {
      const [test, live] = await Promise.all([decide(keys.test, body), decide(keys.live, body)]);
      const differing = { decision_id: "", mode: "", decision_latency_ms: 0 };
      const [a, b] = [test, live].map(({ json }) => ({ ...json, ...differing }));
      if (
        JSON.stringify(a?.["provider_health" as never]) !== JSON.stringify(b?.["provider_health" as never])
      ) {
        assert.ok(attempt < 10);
        continue;
      }
      assert.deepEqual(a, b);
      break;
    }
  });
});

describe("a foreign id answers byte for byte like an unknown one", () => {
  it("ERR-17: GET /v1/decisions/:decisionId", async () => {
    const [foreign, otherMode, otherMerchant] = await Promise.all([
      decide(keys.stranger),
      decide(keys.live),
      decide(keys.test, { merchant_id: "shop_b" }),
    ]);
    const foreignId = String(foreign.json["decision_id"]);
    const unknown = comparable(await read(keys.shopA, newId("dec")));
    assert.deepEqual((unknown as { status: number }).status, 404);
    const alike: [what: string, id: string][] = [
      ["LOG-18, TEN-2: another workspace's", foreignId],
      ["the other mode's", String(otherMode.json["decision_id"])],
      ["AUTH-18, LOG-18: another merchant's", String(otherMerchant.json["decision_id"])],
      ["one of the distant past", "dec_00000000000000000000000000"],
      ["one of the distant future", "dec_7zzzzzzzzzzzzzzzzzzzzzzzzz"],
      ["one that overflows", "dec_80000000000000000000000000"],
      ["one too short", foreignId.slice(0, -1)],
      ["one too long", `${foreignId}0`],
      ["upper case", foreignId.toUpperCase()],
      ["another prefix", foreignId.replace("dec_", "out_")],
      ["no prefix", foreignId.slice(4)],
      ["a letter ULIDs do not have", `${foreignId.slice(0, -1)}u`],
      ["a word", "x"],
      ["a quote", "%27"],
      ["U+0000", "%00"],
      ["invalid UTF-8", "%ff%fe"],
      ["a lone percent sign", "%"],
      ["wildcards", "dec_%25"],
      ["2000 characters", "d".repeat(2000)],
    ];
    for (const [what, path] of alike) {
      assert.deepEqual(comparable(await read(keys.shopA, path)), unknown, what);
    }
  });

  it("AUTH-18, FMT-9: the owner's key reads each of these ids", async () => {
    for (const [key, merchantId] of [
      [keys.stranger, "shop_a"],
      [keys.live, "shop_b"],
      [keys.shopA, "shop_a"],
      [keys.shopB, "shop_b"],
      [keys.test, "shop_b"],
    ] as const) {
      const { json } = await decide(key, { merchant_id: merchantId });
      const { status, json: detail } = await read(key, json["decision_id"]);
      assert.equal(status, 200);
      assert.equal(detail["merchant_id"], merchantId);
    }
  });
});

describe("the idempotency hash covers workspace, mode, merchant_id and key", () => {
  it("IDEM-2: one key never replays across workspaces, modes or merchants", async () => {
    const idempotent = (key: string, changes: Record<string, unknown> = {}) =>
      send(service, "POST", "/v1/decision", {
        body: decisionBody({ merchant_id: "shop_a", ...changes }),
        key,
        headers: { "idempotency-key": "shared" },
      });
    const first = await idempotent(keys.test);
    const others = [
      await idempotent(keys.stranger),
      await idempotent(keys.live),
      await idempotent(keys.test, { merchant_id: "shop_b" }),
    ];
    for (const { status, headers, json } of others) {
      assert.equal(status, 200);
      assert.equal(headers.get("idempotency-replayed"), null);
      assert.notEqual(json["decision_id"], first.json["decision_id"]);
    }
    // Another key of the same workspace, mode and merchant gets the same reply.
    const again = await idempotent(keys.shopA);
    assert.equal(again.headers.get("idempotency-replayed"), "true");
    assert.equal(again.text, first.text);
  });
});

describe("decision ids", () => {
  it("FMT-8: sort by creation time, which is the id's own millisecond", async () => {
    const before = Date.now();
    const ids: string[] = [];
    for (let i = 0; i < 20; i++) ids.push(String((await decide(keys.test)).json["decision_id"]));
    assert.deepEqual(ids, ids.toSorted());
    const detail = await read(keys.test, ids.at(-1));
    const createdAtMs = Date.parse(String(detail.json["created_at"]));
    assert.equal(createdAtMs, idTimeMs(String(ids.at(-1))));
    assert.ok(createdAtMs >= before && createdAtMs <= Date.now());
  });
});
