import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { mastercardRetry } from "../support/people/client-requests.js";
import { createKey, createWorkspace, publish } from "../support/people/tenants.js";
import { startNodes } from "../support/service/nodes.js";
import { eventually, send, sendRead, type RunningService } from "../support/service/service.js";

const RULE = { name: "within", then: { type: "retry_within_scheme_rules" } } as const;

let nodes: RunningService[];
let key: string;
before(async () => {
  nodes = await startNodes(2, {});
  const first = at(0);
  const workspaceId = await createWorkspace(first, { merchants: ["shop"] });
  key = await createKey(first.pool, workspaceId);
  for (const node of nodes) await publish(node, { workspaceId, merchantId: "shop", key, rules: [RULE] });
});
const at = (index: number): RunningService => nodes[index] as RunningService;

async function retry(node: RunningService, orderId: string): Promise<Record<string, unknown>> {
  const body = mastercardRetry("shop", orderId, "02");
  const { status, json, text } = await send(node, "POST", "/v1/decision", { body, key });
  assert.equal(status, 200, text);
  return json;
}

/**
 * The attempts of an order that a node knows. The request has a code that forbids a retry, so its decision adds no
 * attempt.
 */
async function knownBy(node: RunningService, orderId: string): Promise<unknown> {
  const body = mastercardRetry("shop", orderId, "03");
  const { json } = await send(node, "POST", "/v1/decision", { body, key });
  const detail = await sendRead(node, "GET", `/v1/decisions/${String(json["decision_id"])}`, { key });
  return (detail.json["retry"] as Record<string, unknown>)["attempts_24h"];
}

describe("attempts between nodes", () => {
  it("RTRY-17: every node counts the attempts that the others have stored, each once", async () => {
    for (let i = 0; i < 4; i++) assert.equal((await retry(at(0), "shared"))["action"], "retry");
    await eventually(async () => assert.equal(await knownBy(at(1), "shared"), 4));
    for (let i = 0; i < 6; i++) assert.equal((await retry(at(1), "shared"))["action"], "retry");
    await eventually(async () => assert.equal(await knownBy(at(0), "shared"), 10));
    for (const node of nodes) assert.equal((await retry(node, "shared"))["action"], "block");
  });

  it("RTRY-17: a killed node continues at its last position", async () => {
    for (let i = 0; i < 3; i++) await retry(at(0), "restarted");
    await eventually(async () => assert.equal(await knownBy(at(1), "restarted"), 3));
    await at(1).killAndRestart();
    assert.equal(await knownBy(at(1), "restarted"), 3);
    for (let i = 0; i < 7; i++) assert.equal((await retry(at(1), "restarted"))["action"], "retry");
    await eventually(async () => assert.equal((await retry(at(0), "restarted"))["action"], "block"));
  });
});
