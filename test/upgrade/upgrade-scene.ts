import assert from "node:assert/strict";
import { HELD_FROM_MINOR } from "../support/load/merchant-ledger.js";
import { startMerchantLoad, type MerchantLoad } from "../support/load/merchant-load.js";
import { newEmail, PASSWORD } from "../support/people/accounts.js";
import { decisionBody } from "../support/service/service.js";
import type { RunningService } from "../support/service/node.js";

/**
 * A workspace with traffic. The scene uses only HTTP and only what both builds know. The usual calls of tests do not
 * fit here: they check replies against this build's document, and run SQL for this build's schema.
 */
export interface UpgradeScene {
  token: string;
  key: string;
}

const MERCHANT = "demo_merchant";
/** An amount is in minor units of a currency, so a rule names both. */
const USD = { currency_in: ["USD"] };

interface Answer {
  status: number;
  json: Record<string, unknown>;
}

export async function ask(
  node: RunningService,
  method: string,
  path: string,
  by: { token: string } | { key: string } | null,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(node.url + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(by === null ? {} : "key" in by ? { "x-api-key": by.key } : { authorization: `Bearer ${by.token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, json: text === "" ? {} : (JSON.parse(text) as Answer["json"]) };
}

async function expect(status: number, answer: Promise<Answer>): Promise<Answer["json"]> {
  const { status: actual, json } = await answer;
  assert.equal(actual, status, JSON.stringify(json));
  return json;
}

/** Registers a workspace and makes its first key. */
export async function openScene(node: RunningService): Promise<UpgradeScene> {
  const registration = {
    email: newEmail(),
    password: PASSWORD,
    workspace_name: "Shop",
    merchant_id: MERCHANT,
  };
  const { session } = await expect(201, ask(node, "POST", "/v1/auth/register", null, registration));
  const { token } = session as { token: string };
  return { token, key: await createKey(node, token) };
}

export async function createKey(node: RunningService, token: string): Promise<string> {
  const scopes = ["decision:write", "outcome:write", "policy:write"];
  const body = { name: "Checkout", mode: "test", scopes };
  const { secret } = await expect(201, ask(node, "POST", "/v1/api-keys", { token }, body));
  return String(secret);
}

/** Publishes a policy that holds payments from HELD_FROM_MINOR on, and blocks payments from `blockedFrom` on. */
export async function publishBlock(node: RunningService, key: string, blockedFrom: number): Promise<void> {
  const rules = [
    { name: "Too large", when: { amount_gte: blockedFrom, ...USD }, then: { type: "block" } },
    { name: "Large", when: { amount_gte: HELD_FROM_MINOR, ...USD }, then: { type: "hold" } },
  ];
  const body = { merchant_id: MERCHANT, name: "Checkout", rules, publish: true };
  await expect(200, ask(node, "POST", "/v1/policies", { key }, body));
}

export async function decide(
  node: RunningService,
  key: string,
  amount: number,
): Promise<{ action: string; decision_id: string }> {
  const body = decisionBody();
  body["transaction"] = { ...(body["transaction"] as object), amount };
  const json = await expect(200, ask(node, "POST", "/v1/decision", { key }, body));
  return json as { action: string; decision_id: string };
}

export async function reportApproved(
  node: RunningService,
  key: string,
  decisionId: string,
  orderId: string,
): Promise<void> {
  const body = {
    decision_id: decisionId,
    order_id: orderId,
    provider_used: "provider_1",
    outcome: "approved",
    provider_latency_ms: 150,
    amount: 129_900,
    currency: "USD",
  };
  await expect(200, ask(node, "POST", "/v1/outcomes", { key }, body));
}

/** Decisions, outcomes and reviews at a rate that leaves a small machine room for a start. */
export const startTraffic = ({ url }: RunningService, { key, token }: UpgradeScene): MerchantLoad =>
  startMerchantLoad({ url, key, reviewer: token, ratePerSecond: 60, connections: 8 });

/**
 * Fails if a request was answered with 5xx, or if a connection broke although no node was being ended. A node that is
 * being ended may refuse a connection, or reset one that it has just closed.
 */
export function assertServed({ answers, breaks }: MerchantLoad, wasEnded: boolean): void {
  assert.deepEqual(
    [...answers.keys()].filter((name) => / 5\d\d$/.test(name)),
    [],
    JSON.stringify([...answers]),
  );
  const allowed = wasEnded ? ["ECONNREFUSED", "ECONNRESET"] : [];
  assert.deepEqual(
    [...breaks.keys()].filter((reason) => !allowed.includes(reason)),
    [],
  );
}
