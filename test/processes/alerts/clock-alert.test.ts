import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { createJumpingClock, type JumpingClock } from "../../support/machine/jumping-clock.js";
import { ask, login, personOf, register } from "../../support/people/accounts.js";
import { createDatabaseGate, type DatabaseGate } from "../../support/postgres/database-gate.js";
import { createTestDatabase } from "../../support/postgres/postgres.js";
import { startNode, type RunningService } from "../../support/service/node.js";
import { eventually } from "../../support/service/service.js";

const EMAIL = "root@pay.example";
const PASSWORD = "platform password";
const YEAR_MS = 365 * 86_400_000;
const TEN_MINUTES_MS = 600_000;
/** The tolerance is wide, because the clocks differ by a year. */
const RIGHT_WITHIN_MS = 120_000;

interface ClockAlert {
  alert_id: string;
  kind: string;
  opened_at: string;
  closed_at: string | null;
}

let gate: DatabaseGate;
/** Two nodes on one database. The first one's connection to it can be shut. */
let nodes: [RunningService, RunningService];
let clocks: [JumpingClock, JumpingClock];
let adminsToken: string;
before(async () => {
  const { url } = await createTestDatabase();
  gate = await createDatabaseGate(url);
  clocks = [await createJumpingClock(), await createJumpingClock()];
  const env = {
    PLATFORM_ADMIN_EMAIL: EMAIL,
    PLATFORM_ADMIN_PASSWORD: PASSWORD,
    AUTH_RATE_LIMIT_PER_MINUTE: "0",
  };
  // The nodes start in sequence, so that the second finds the schema and the administrator.
  nodes = [
    await startNode({ ...env, ...clocks[0].env, DATABASE_URL: gate.url }),
    await startNode({ ...env, ...clocks[1].env, DATABASE_URL: url }),
  ];
  adminsToken = personOf(await login(nodes[1], EMAIL, PASSWORD)).token;
});

async function clockAlerts(token = adminsToken): Promise<ClockAlert[]> {
  const { status, json, text } = await ask(nodes[1], "GET", "/v1/alerts", token);
  assert.equal(status, 200, text);
  return (json["alerts"] as ClockAlert[]).filter(({ kind }) => kind === "clock");
}

let aheadMs = YEAR_MS;
/** A node follows a clock that has been stable for 60 s, so these clocks jump repeatedly until `holds` passes. */
const whileOff = (jumping: readonly JumpingClock[], holds: () => void | Promise<void>): Promise<void> =>
  eventually(async () => {
    aheadMs += TEN_MINUTES_MS;
    for (const clock of jumping) clock.set(aheadMs);
    await holds();
  });

const saysOff = async (count: number): Promise<void> => {
  const { rows } = await nodes[1].pool.query("select from alert_nodes");
  assert.equal(rows.length, count);
};

describe("the platform's administrator is alerted when a node's clock has jumped", () => {
  it("CLOCK-7, ALRT-14: one alert for all nodes opens once PostgreSQL is back, and closes when the last node follows its clock again", async () => {
    await gate.shut();
    await whileOff([clocks[0]], () => assert.match(nodes[0].log(), /the host's clock jumped/));
    assert.deepEqual(await clockAlerts(), []);
    await gate.open();
    await whileOff([clocks[0]], async () => assert.equal((await clockAlerts()).length, 1));
    const [opened] = await clockAlerts();
    assert.ok(
      Math.abs(Date.parse(opened?.opened_at ?? "") - Date.now()) < RIGHT_WITHIN_MS,
      opened?.opened_at,
    );
    const { token } = await register(nodes[1]);
    assert.deepEqual(await clockAlerts(token), [], "a workspace sees none");

    await whileOff(clocks, () => saysOff(2));
    clocks[0].set(0);
    await whileOff([clocks[1]], () => saysOff(1));
    assert.deepEqual(await clockAlerts(), [opened]);
    clocks[1].set(0);
    await eventually(async () => {
      const [closed, ...others] = await clockAlerts();
      assert.deepEqual(others, []);
      assert.deepEqual({ ...closed, closed_at: null }, opened);
      assert.ok(Math.abs(Date.parse(closed?.closed_at ?? "") - Date.now()) < RIGHT_WITHIN_MS);
    });
  });
});
