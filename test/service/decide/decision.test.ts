import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import {
  decisionBody,
  eventually,
  send,
  sendRead,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";

let service: RunningService;
before(async () => {
  service = await startTestService();
});

describe("POST /v1/decision", () => {
  it("FMT-7, RES-1, RES-3, RES-13, RES-14, SVC-1: answers the response of the specification, field by field", async () => {
    const { status, json } = await send(service, "POST", "/v1/decision", { body: decisionBody() });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(json), [
      "decision_id",
      "merchant_id",
      "mode",
      "decision_mode",
      "action",
      "route",
      "risk",
      "provider_health",
      "policy",
      "model",
      "cost",
      "economics",
      "reason_codes",
      "decision_latency_ms",
      "ttl_ms",
    ]);
    assert.match(String(json["decision_id"]), /^dec_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    assert.equal(json["merchant_id"], "demo_merchant");
    assert.equal(json["mode"], "test");
    assert.equal(json["decision_mode"], "enforce");
    assert.equal(json["action"], "route");
    assert.deepEqual(Object.keys(json["provider_health"] as object), ["provider_1", "provider_2"]);
    assert.deepEqual(json["policy"], { policy_id: null, policy_version: null, matched_rules: [] });
    assert.deepEqual([json["cost"], json["economics"], json["ttl_ms"]], [null, null, 3000]);
    const latencyMs = json["decision_latency_ms"] as number;
    assert.ok(latencyMs >= 0);
    assert.equal(latencyMs, Number(latencyMs.toFixed(3)));
  });

  it("REQ-2, RES-2: gives every call without a key its own decision", async () => {
    const ids = new Set<unknown>();
    for (let i = 0; i < 5; i++) {
      ids.add((await send(service, "POST", "/v1/decision", { body: decisionBody() })).json["decision_id"]);
    }
    assert.equal(ids.size, 5);
  });

  it("DUR-8, LOG-10, RES-2: shows its answer in a read at once", async () => {
    for (let i = 0; i < 20; i++) {
      const { json } = await send(service, "POST", "/v1/decision", {
        body: decisionBody({ order_id: `rb_${i}` }),
      });
      const detail = await sendRead(service, "GET", `/v1/decisions/${String(json["decision_id"])}`);
      assert.equal(detail.status, 200);
      assert.equal(detail.json["order_id"], `rb_${i}`);
      for (const field of [
        "action",
        "route",
        "risk",
        "policy",
        "reason_codes",
        "decision_latency_ms",
        "ttl_ms",
        "mode",
      ]) {
        assert.deepEqual(detail.json[field], json[field], field);
      }
      const model = json["model"] as Record<string, unknown>;
      assert.deepEqual(detail.json["model"], {
        model_version: model["model_version"],
        provider_scores: model["route_scores"],
      });
    }
  });

  it("FMT-10: keeps odd but allowed characters of an order id as they are", async () => {
    for (const orderId of ["\t\n\\N\\.", "ord,er\r\"'", "注文-😀", "x".repeat(128), "\u{7f}\u{80}\u{2028}"]) {
      const { json } = await send(service, "POST", "/v1/decision", {
        body: decisionBody({ order_id: orderId }),
      });
      const detail = await sendRead(service, "GET", `/v1/decisions/${String(json["decision_id"])}`);
      assert.equal(detail.json["order_id"], orderId);
    }
  });

  it("SVC-8: stores every acknowledged decision exactly once", async () => {
    const count = 500;
    const replies = await Promise.all(
      Array.from({ length: count }, (_, i) =>
        send(service, "POST", "/v1/decision", { body: decisionBody({ order_id: `once_${i}` }) }),
      ),
    );
    assert.ok(replies.every(({ status }) => status === 200));
    await eventually(async () => {
      const { rows } = await service.pool.query<{ stored: string; orders: string }>(
        "select count(*) as stored, count(distinct order_id) as orders from decisions where order_id like 'once\\_%'",
      );
      assert.deepEqual(rows[0], { stored: String(count), orders: String(count) });
    });
  });
});

describe("Idempotency", () => {
  const decide = (key: string, body: unknown = decisionBody()) =>
    send(service, "POST", "/v1/decision", { body, headers: { "idempotency-key": key } });

  it("IDEM-3: replays the stored response byte for byte", async () => {
    const first = await decide("replay");
    const again = await decide("replay");
    assert.equal(first.headers.get("idempotency-replayed"), null);
    assert.equal(again.headers.get("idempotency-replayed"), "true");
    assert.equal(again.headers.get("idempotency-body-mismatch"), null);
    assert.equal(again.text, first.text);
  });

  it("IDEM-5: replays with any new body, and reports when its bytes differ", async () => {
    const first = await decide("mismatch");
    for (const body of [decisionBody({ order_id: "another" }), `${JSON.stringify(decisionBody())} `]) {
      const again = await decide("mismatch", body);
      assert.equal(again.text, first.text);
      assert.equal(again.headers.get("idempotency-body-mismatch"), "true");
    }
  });

  it("IDEM-6: resolves concurrent requests with one key to one stored decision", async () => {
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => decide("concurrent", decisionBody({ order_id: "conc" }))),
    );
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    assert.equal(replies.filter(({ headers }) => headers.get("idempotency-replayed") === null).length, 1);
    await eventually(async () => {
      const { rows } = await service.pool.query("select from decisions where order_id = 'conc'");
      assert.equal(rows.length, 1);
    });
  });

  it("IDEM-7: stores only 200 answers", async () => {
    assert.equal((await decide("after-400", decisionBody({ order_id: "" }))).status, 400);
    const { status, headers } = await decide("after-400");
    assert.deepEqual([status, headers.get("idempotency-replayed")], [200, null]);
  });

  it("IDEM-1: accepts a key of 255 characters, and refuses an empty one and one of 256", async () => {
    assert.equal((await decide("k".repeat(255))).status, 200);
    for (const [key, code] of [
      ["k".repeat(256), "too_big"],
      ["", "too_small"],
    ] as const) {
      const { status, json } = await decide(key);
      assert.equal(status, 400);
      const [issue] = json["issues"] as { path: string; code: string }[];
      assert.deepEqual([issue?.path, issue?.code], ["headers.idempotency-key", code]);
    }
  });

  it("IDEM-1: refuses a key with invalid UTF-8, which the parser could confuse with others: fetch sends é as such a byte", async () => {
    for (const key of ["facture-é-1", "facture-ü-1", "a\tb"]) {
      const { status, json } = await decide(key);
      assert.equal(status, 400, key);
      assert.deepEqual(json["issues"], [
        {
          path: "headers.idempotency-key",
          code: "invalid_string",
          message: "Must hold printable ASCII characters",
        },
      ]);
    }
    assert.equal((await decide("a b ~!{}")).status, 200);
  });

  it("keeps the stored response across kill -9", async () => {
    const first = await decide("survivor");
    await service.killAndRestart();
    const again = await decide("survivor");
    assert.equal(again.headers.get("idempotency-replayed"), "true");
    assert.equal(again.text, first.text);
  });
});
