import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { idTimeMs } from "../../../src/domain/ids/ids.js";
import { createJumpingClock, type JumpingClock } from "../../support/machine/jumping-clock.js";
import { ask, register, type Person } from "../../support/people/accounts.js";
import {
  decisionBody,
  eventually,
  send,
  sendRead,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";
import { createKey } from "../../support/people/tenants.js";

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;
/** The tolerance is wide, because the clocks differ by minutes. */
const RIGHT_WITHIN_MS = 120_000;

let clock: JumpingClock;
let service: RunningService;
let person: Person;
let expiring: string;
before(async () => {
  clock = await createJumpingClock();
  service = await startTestService({ ...clock.env, RATE_LIMIT_PER_MINUTE: "0" });
  person = await register(service);
  expiring = await createKey(service.pool, service.workspaceId, {
    expiresAt: new Date(Date.now() + HOUR_MS),
  });
});

async function decide(idempotencyKey: string): Promise<string> {
  const { status, json, text } = await send(service, "POST", "/v1/decision", {
    body: decisionBody(),
    headers: { "idempotency-key": idempotencyKey },
    key: expiring,
  });
  assert.equal(status, 200, text);
  return String(json["decision_id"]);
}

const assertRight = (dateMs: number, what: string): void =>
  assert.ok(Math.abs(dateMs - Date.now()) < RIGHT_WITHIN_MS, `${what}: ${new Date(dateMs).toISOString()}`);

async function offsetSeconds(): Promise<number> {
  const text = await (await fetch(service.metricsUrl)).text();
  return Number(/^payinference_clock_offset_seconds(?:\{[^}]*\})? (\S+)$/m.exec(text)?.[1]);
}

describe("the host's clock jumps under a node", () => {
  const made: string[] = [];

  for (const [title, aheadMs] of [
    ["a year ahead", YEAR_MS],
    ["10 minutes ahead", 10 * 60_000],
    ["10 minutes back", -10 * 60_000],
    ["a year back", -YEAR_MS],
  ] as const) {
    it(`CLOCK-2, CLOCK-5, CLOCK-6: ${title} and back: nothing is dated wrong, and nothing expires`, async () => {
      made.push(await decide(`${title}, before`));
      clock.set(aheadMs);
      const id = await decide(title);
      made.push(id);
      assert.ok(Math.abs((await offsetSeconds()) - aheadMs / 1000) < RIGHT_WITHIN_MS / 1000);
      assert.equal(await decide(title), id, "a repetition is one");
      const { json } = await sendRead(service, "GET", `/v1/decisions/${id}`, {});
      assertRight(Date.parse(String(json["created_at"])), "the decision");
      const list = await sendRead(service, "GET", "/v1/decisions", {});
      assert.equal(list.status, 200, list.text);
      assert.equal((list.json["decisions"] as Record<string, unknown>[])[0]?.["decision_id"], id);
      assert.equal(
        (await ask(service, "GET", "/v1/auth/me", person.token)).status,
        200,
        "a session lives on",
      );
      assertRight(Date.parse(String((await send(service, "GET", "/health", {})).json["time"])), "/health");
      await eventually(async () => assert.match(service.log(), /the host's clock jumped/));

      clock.set(0);
      made.push(await decide(`${title}, after`));
      assert.equal(await offsetSeconds(), 0);
      for (const one of made) assertRight(idTimeMs(one), one);
      assert.deepEqual(made, [...new Set(made)].toSorted());
    });
  }
});
