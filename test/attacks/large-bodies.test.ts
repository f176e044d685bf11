import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { LIMITS } from "../../src/shared/limits.js";
import { decisionBody, send, startTestService, type RunningService } from "../support/service.js";

/** More than may wait. */
const REQUESTS = LIMITS.largeBodiesWaitingMax + 36;
/** Of the large bodies, what may be answered while one decision waits: it would be one, on a machine that never stalls. */
const PASSED_BY_MAX = 16;

const USD_UNDER = (amount: number): object => ({
  all_of: Array.from({ length: 4 }, () => ({ none_of: [{ amount_gte: amount }, { currency_in: ["EUR"] }] })),
});

/** As deep and wide as a rule may be, and as many as make some milliseconds of work. */
const RULES = Array.from({ length: 30 }, (_, i) => ({
  rule_id: `r${i}`,
  name: `n${i}`,
  when: { any_of: Array.from({ length: 8 }, () => USD_UNDER(1_000_000 + i)) },
  then: { type: "prefer_provider", providers: ["provider_1"], strict: false, boost: 1 },
}));

let service: RunningService;
before(async () => {
  service = await startTestService({ RATE_LIMIT_PER_MINUTE: "0" });
});

describe("large bodies: a hundred at once", () => {
  it("let decisions through between them, and past the line's end they are 503", async () => {
    // Finds the key, which is looked up in PostgreSQL once.
    assert.equal((await send(service, "POST", "/v1/decision", { body: decisionBody() })).status, 200);
    const { merchant_id, transaction, available_providers } = decisionBody();
    const body = { merchant_id, transaction, available_providers, policy: { rules: RULES } };
    const statuses: number[] = [];
    const simulations = Promise.all(
      Array.from({ length: REQUESTS }, async () => {
        const { status } = await send(service, "POST", "/v1/policies/simulate", { body });
        statuses.push(status);
      }),
    );
    const passedBy: number[] = [];
    while (statuses.length < REQUESTS) {
      const before = statuses.filter((status) => status === 200).length;
      // Whatever the answer: on a host that stands still a decision may be given up.
      await send(service, "POST", "/v1/decision", { body: decisionBody() });
      passedBy.push(statuses.filter((status) => status === 200).length - before);
    }
    await simulations;
    const most = Math.max(...passedBy);
    assert.ok(most <= PASSED_BY_MAX, `${most} large bodies were read while one decision waited`);
    assert.deepEqual(new Set(statuses), new Set([200, 503]));
    assert.ok(statuses.filter((status) => status === 200).length > LIMITS.largeBodiesWaitingMax);
  });
});

describe("what works on stored policies takes turns", () => {
  it("two hundred that list small ones at once are all answered", async () => {
    const path = "/v1/policies/demo_merchant";
    const replies = await Promise.all(Array.from({ length: 200 }, () => send(service, "GET", path)));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
  });
});
