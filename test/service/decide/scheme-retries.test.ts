import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { orderAttemptKey } from "../../../src/path/attempts/attempt-store.js";
import { createKey, createWorkspace, publish, type RuleSpec } from "../../support/people/tenants.js";
import { ONE_NODE } from "../../support/two-nodes-mode.js";
import {
  decisionBody,
  eventually,
  send,
  sendRead,
  startTestService,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";

const WITHIN: RuleSpec = { name: "within", then: { type: "retry_within_scheme_rules" } };
const TIGHT: RuleSpec = { name: "tight", then: { type: "retry_within_scheme_rules", max_attempts_24h: 2 } };
const GAINFUL: RuleSpec = {
  name: "gainful",
  then: { type: "retry_within_scheme_rules", min_expected_gain_minor: 700 },
};
const HEADER = "payinference-retry-not-before";
/** Each merchant has its own policy. The policy of `plain` counts nothing. */
const MERCHANTS = {
  counting: [WITHIN],
  tried: [WITHIN],
  tight: [TIGHT],
  gainful: [GAINFUL],
  plain: [{ name: "retry", then: { type: "retry_on_timeout", same_provider: true } }],
} as const satisfies Record<string, readonly RuleSpec[]>;
type Merchant = keyof typeof MERCHANTS;

let service: RunningService;
let workspaceId: string;
let key: string;
before(async () => {
  service = await startTestService({
    DECISION_WORKERS: "2",
    RATE_LIMIT_PER_MINUTE: "0",
    PROBE_INTERVAL_MS: "0",
  });
  workspaceId = await createWorkspace(service, { merchants: Object.keys(MERCHANTS) });
  key = await createKey(service.pool, workspaceId);
  for (const [merchantId, rules] of Object.entries(MERCHANTS)) {
    await publish(service, { workspaceId, merchantId, key, rules });
  }
});

interface Asked {
  merchant?: Merchant;
  network?: string;
  /** The code of the failed attempt; absent for a first attempt. */
  code?: string;
  transaction?: Record<string, unknown>;
  headers?: Record<string, string>;
}

async function decide(orderId: string, asked: Asked = {}): Promise<Reply> {
  const { merchant = "counting", network = "mastercard", code, transaction = {}, headers = {} } = asked;
  const reply = await send(service, "POST", "/v1/decision", {
    key,
    headers,
    body: decisionBody({
      merchant_id: merchant,
      order_id: orderId,
      transaction: {
        amount: 5000,
        currency: "USD",
        country: "US",
        payment_method: "card",
        card_network: network,
        ...transaction,
      },
      ...(code === undefined
        ? {}
        : {
            previous_attempt: { provider: "provider_1", outcome: "declined", provider_reason_code: code },
          }),
    }),
  });
  assert.equal(reply.status, 200, reply.text);
  return reply;
}

const actionOf = ({ json }: Reply): string => String(json["action"]);
const codesOf = ({ json }: Reply): string[] => json["reason_codes"] as string[];

async function detailOf({ json }: Reply): Promise<Record<string, unknown>> {
  const read = await sendRead(service, "GET", `/v1/decisions/${String(json["decision_id"])}`, { key });
  assert.equal(read.status, 200, read.text);
  return read.json;
}

describe("retry_within_scheme_rules, counted by order on one node", ONE_NODE, () => {
  it("RTRY-5, RTRY-14: with Mastercard the tenth attempt of an order is the last in 24 hours", async () => {
    assert.equal(actionOf(await decide("ten")), "route");
    for (let attempt = 2; attempt <= 10; attempt++) {
      const reply = await decide("ten", { code: "02" });
      assert.equal(actionOf(reply), "retry", `attempt ${attempt}`);
      assert.equal(codesOf(reply)[0], "RETRY_ALLOWED_BY_SCHEME_RULES");
    }
    const eleventh = await decide("ten", { code: "02" });
    assert.deepEqual(
      [actionOf(eleventh), eleventh.json["route"], codesOf(eleventh)[0]],
      ["block", null, "RETRY_BUDGET_EXHAUSTED"],
    );
    assert.equal(eleventh.headers.get(HEADER), null);
    assert.equal(actionOf(await decide("another", { code: "02" })), "retry");
    const blocked = (await detailOf(eleventh))["retry"] as Record<string, unknown>;
    assert.deepEqual(
      [blocked["counted_by"], blocked["attempts_24h"], blocked["attempts_30d"], blocked["verdict"]],
      ["order", 10, 10, "exhausted"],
    );
  });

  it("RTRY-14: requests at once are counted exactly", async () => {
    const asked = Array.from({ length: 40 }, () => decide("at_once", { code: "02" }));
    const actions = (await Promise.all(asked)).map(actionOf);
    assert.equal(actions.filter((action) => action === "retry").length, 10);
    assert.equal(actions.filter((action) => action === "block").length, 30);
  });

  it("RTRY-14: an idempotent replay counts nothing", async () => {
    const headers = { "idempotency-key": "once" };
    const first = await decide("replayed", { merchant: "tight", headers });
    for (let i = 0; i < 5; i++) {
      const again = await decide("replayed", { merchant: "tight", headers });
      assert.equal(again.text, first.text);
    }
    assert.equal(actionOf(await decide("replayed", { merchant: "tight", code: "02" })), "retry");
    assert.equal(actionOf(await decide("replayed", { merchant: "tight", code: "02" })), "block");
  });

  it("RTRY-14: a block and a hold are no attempts, and are blocked no less later", async () => {
    for (let i = 0; i < 3; i++) assert.equal(actionOf(await decide("never", { code: "03" })), "block");
    const after = await decide("never", { code: "02" });
    const retry = (await detailOf(after))["retry"] as Record<string, unknown>;
    assert.deepEqual([actionOf(after), retry["attempts_24h"]], ["retry", 0]);
  });

  it("RTRY-11: max_attempts_24h tightens the scheme's limit", async () => {
    await decide("tightened", { merchant: "tight", network: "visa" });
    assert.equal(
      actionOf(await decide("tightened", { merchant: "tight", network: "visa", code: "51" })),
      "retry",
    );
    const third = await decide("tightened", { merchant: "tight", network: "visa", code: "51" });
    assert.equal(codesOf(third)[0], "RETRY_BUDGET_EXHAUSTED");
    const retry = (await detailOf(third))["retry"] as Record<string, unknown>;
    assert.deepEqual([retry["max_attempts_24h"], retry["verdict"]], [2, "exhausted"]);
  });

  it("RTRY-16: too early says from when on, in a header, and a replay says so too", async () => {
    const first = await decide("early");
    const madeMs = Date.parse(String((await detailOf(first))["created_at"]));
    const headers = { "idempotency-key": "early" };
    const early = await decide("early", { code: "24", headers });
    assert.deepEqual([actionOf(early), codesOf(early)[0]], ["block", "RETRY_TOO_EARLY"]);
    assert.equal(early.headers.get(HEADER), new Date(madeMs + 3_600_000).toISOString());
    const again = await decide("early", { code: "24", headers });
    assert.deepEqual(
      [again.text, again.headers.get("idempotency-replayed"), again.headers.get(HEADER)],
      [early.text, "true", early.headers.get(HEADER)],
    );
    const retry = (await detailOf(early))["retry"] as Record<string, unknown>;
    assert.deepEqual(
      [retry["not_before"], (retry["rule"] as Record<string, unknown>)["rule_id"]],
      [early.headers.get(HEADER), "mastercard_24"],
    );
  });

  it("RTRY-4: Visa's category 1 is forbidden after any attempts", async () => {
    const reply = await decide("stolen", { network: "visa", code: "43" });
    assert.deepEqual([actionOf(reply), codesOf(reply)[0]], ["block", "RETRY_FORBIDDEN_BY_SCHEME"]);
  });

  it("RTRY-18: the detail has no retry where nothing was judged", async () => {
    assert.equal((await detailOf(await decide("first")))["retry"], undefined);
    assert.equal((await detailOf(await decide("amex", { network: "amex", code: "51" })))["retry"], undefined);
    const plain = await decide("plain", { merchant: "plain", code: "43", network: "visa" });
    assert.equal(actionOf(plain), "route");
    assert.equal((await detailOf(plain))["retry"], undefined);
  });

  it("RTRY-13: a replay is identical after further attempts", async () => {
    const replies = [
      await decide("again"),
      await decide("again", { code: "02" }),
      await decide("again", { code: "24" }),
    ];
    for (let i = 0; i < 10; i++) await decide("again", { code: "02" });
    for (const { json } of replies) {
      const path = `/v1/decisions/${String(json["decision_id"])}/replay`;
      const replay = await sendRead(service, "POST", path, { key });
      assert.deepEqual([replay.json["identical"], replay.json["differences"]], [true, []]);
    }
  });

  it("RTRY-13: a backtest of a tighter draft uses the attempts that were seen", async () => {
    await decide("tried", { merchant: "tried" });
    for (let i = 0; i < 3; i++)
      assert.equal(actionOf(await decide("tried", { merchant: "tried", code: "02" })), "retry");
    const { then } = TIGHT;
    const reply = await sendRead(service, "POST", "/v1/policies/backtest", {
      key,
      body: { merchant_id: "tried", policy: { rules: [{ name: "tight", when: {}, then }] } },
    });
    const result = JSON.parse(reply.text.trimEnd().split("\n").at(-1) ?? "") as {
      type: string;
      by_action_after: { action: string; count: number }[];
    };
    assert.equal(result.type, "result", reply.text);
    const after = Object.fromEntries(result.by_action_after.map(({ action, count }) => [action, count]));
    assert.deepEqual([after["retry"], after["block"]], [1, 2]);
  });

  it("RTRY-13, SIM-2: a simulation takes the attempts as none, and stores none", async () => {
    for (let i = 0; i < 10; i++) await decide("simulated", { code: "02" });
    const body = {
      merchant_id: "counting",
      transaction: {
        amount: 5000,
        currency: "USD",
        country: "US",
        payment_method: "card",
        card_network: "mastercard",
      },
      available_providers: ["provider_1", "provider_2"],
      previous_attempt: { provider: "provider_1", outcome: "declined", provider_reason_code: "02" },
    };
    for (let i = 0; i < 12; i++) {
      const { json } = await send(service, "POST", "/v1/policies/simulate", { key, body });
      assert.equal(json["action"], "retry");
    }
  });

  it("RTRY-19, RTRY-20: retries that recover nothing are blocked once that is learnt, and a replay knows why", async () => {
    const asked = { merchant: "gainful", network: "visa" } as const;
    const retry = async (orderId: string): Promise<Reply> => {
      await decide(orderId, asked);
      return decide(orderId, { ...asked, code: "61" });
    };
    const allowed = await retry("gain");
    assert.equal(actionOf(allowed), "retry");
    const gainOf = async (reply: Reply) => {
      const { verdict, expected_gain: gain } = (await detailOf(reply))["retry"] as Record<string, unknown>;
      return [verdict, gain as Record<string, number>] as const;
    };
    const [verdict, before] = await gainOf(allowed);
    assert.equal(verdict, "allowed");
    assert.ok((before["expected_minor"] ?? 0) > 700);
    for (let i = 0; i < 40; i++) {
      const { json } = await retry(`gain-${i}`);
      if (json["action"] === "block") break;
      const outcome = await send(service, "POST", "/v1/outcomes", {
        key,
        body: {
          decision_id: json["decision_id"],
          order_id: `gain-${i}`,
          provider_used: "provider_1",
          outcome: "soft_declined",
          provider_reason_code: "61",
          provider_latency_ms: 100,
          amount: 5000,
          currency: "USD",
        },
      });
      assert.equal(outcome.status, 200, outcome.text);
    }
    let tries = 0;
    await eventually(async () => {
      const blocked = await retry(`later-${tries++}`);
      assert.deepEqual([actionOf(blocked), codesOf(blocked)[0]], ["block", "RETRY_GAIN_TOO_LOW"]);
      const [low, after] = await gainOf(blocked);
      assert.equal(low, "low_gain");
      assert.ok((after["recovery_probability"] ?? 1) < (before["recovery_probability"] ?? 0));
      assert.ok((after["expected_minor"] ?? Infinity) < 700);
      const path = `/v1/decisions/${String(blocked.json["decision_id"])}/replay`;
      const replay = await sendRead(service, "POST", path, { key });
      assert.deepEqual([replay.json["identical"], replay.json["differences"]], [true, []]);
    });
    assert.equal(
      actionOf(await decide("other", { ...asked, code: "51" })),
      "retry",
      "another code is not known",
    );
  });

  it("RTRY-14: only a merchant whose policy counts stores attempts", async () => {
    await decide("stored", { merchant: "plain" });
    await decide("stored");
    await eventually(async () => {
      const { rows } = await service.pool.query<{ attempts: Buffer }>("select attempts from order_attempts");
      const stored = Buffer.concat(rows.map(({ attempts }) => attempts)).toString("hex");
      const has = (merchant: string): boolean =>
        stored.includes(orderAttemptKey(workspaceId, "test", merchant, "stored").toString("hex"));
      assert.deepEqual([has("counting"), has("plain")], [true, false]);
    });
  });
});
