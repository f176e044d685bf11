import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { LIMITS } from "../../src/domain/vocabulary/limits.js";
import { TUNING } from "../../src/domain/vocabulary/tuning.js";
import { decisionBody, send, type RunningService } from "../support/service/service.js";
import { sharedTestService } from "../support/service/shared-service.js";

/** More requests than one workspace may have in the queue for large bodies. */
const LARGE_REQUESTS = TUNING.largeBodiesWaitingMax / 2 + 36;
const SMALL_REQUESTS = 60;
/**
 * The most bodies that the test accepts between the start and the end of one decision. On a machine that never stalls
 * it would be one.
 */
const PASSED_BY_MAX = 16;

const USD_UNDER = (amount: number): object => ({
  all_of: Array.from({ length: 4 }, () => ({ none_of: [{ amount_gte: amount }, { currency_in: ["EUR"] }] })),
});

/** Rules of the greatest depth and width allowed. */
const rules = (count: number): object[] =>
  Array.from({ length: count }, (_, i) => ({
    rule_id: `r${i}`,
    name: `n${i}`,
    when: { any_of: Array.from({ length: 8 }, () => USD_UNDER(1_000_000 + i)) },
    then: { type: "prefer_provider", providers: ["provider_1"], strict: false, boost: 1 },
  }));

let service: RunningService;
before(async () => {
  service = await sharedTestService();
});

/**
 * Simulates the draft in this many requests at once, and makes decisions in sequence during the simulations. Resolves
 * to the number of answers by status.
 */
async function simulateAtOnce(requests: number, draft: object): Promise<Map<number, number>> {
  // This decision looks the key up in PostgreSQL, so that later ones need no look-up.
  assert.equal((await send(service, "POST", "/v1/decision", { body: decisionBody() })).status, 200);
  const { merchant_id, transaction, available_providers } = decisionBody();
  const body = { merchant_id, transaction, available_providers, policy: draft };
  const answered = new Map<number, number>();
  const simulated = (): number => answered.get(200) ?? 0;
  let left = requests;
  const simulations = Promise.all(
    Array.from({ length: requests }, async () => {
      const { status } = await send(service, "POST", "/v1/policies/simulate", { body });
      answered.set(status, (answered.get(status) ?? 0) + 1);
      left--;
    }),
  );
  const passedBy: number[] = [];
  while (left > 0) {
    const before = simulated();
    // Any answer will do, because on a paused host a decision may be given up.
    await send(service, "POST", "/v1/decision", { body: decisionBody() });
    passedBy.push(simulated() - before);
  }
  await simulations;
  const most = Math.max(...passedBy);
  assert.ok(most <= PASSED_BY_MAX, `${most} drafts were read while one decision waited`);
  return answered;
}

describe("many drafts at once leave room for decisions between them", () => {
  it("large ones, and past their line's end they are 503", async () => {
    const answered = await simulateAtOnce(LARGE_REQUESTS, { rules: rules(30) });
    assert.deepEqual(new Set(answered.keys()), new Set([200, 503]));
    assert.ok((answered.get(200) ?? 0) > TUNING.largeBodiesWaitingMax / 2);
  });

  it("small ones that cost as much, and all of them are answered", async () => {
    const draft = { rules: rules(7) };
    assert.ok(JSON.stringify(draft).length < LIMITS.smallBodyBytesMax);
    assert.deepEqual(await simulateAtOnce(SMALL_REQUESTS, draft), new Map([[200, SMALL_REQUESTS]]));
  });
});

describe("requests that read stored policies take turns", () => {
  it("two hundred requests that list small policies at once are all answered", async () => {
    const path = "/v1/policies/demo_merchant";
    const replies = await Promise.all(Array.from({ length: 200 }, () => send(service, "GET", path)));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
  });
});
