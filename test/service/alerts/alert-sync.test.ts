import assert from "node:assert/strict";
import { beforeEach, before, describe, it } from "node:test";
import { createAlertSync, type AlertSync } from "../../../src/features/alerts/alert-sync.js";
import type { HealthChange } from "../../../src/path/prober/messages.js";
import { alertEffect } from "../../../src/domain/health/monitor/alert.js";
import { HealthMonitor } from "../../../src/domain/health/monitor/monitor.js";
import { listAlerts, type Alert } from "../../../src/features/alerts/queries.js";
import { storeAlerts } from "../../../src/features/alerts/alert-writer.js";
import { HEALTH_STATES, type HealthState } from "../../../src/domain/vocabulary/vocabulary.js";
import { closeLater } from "../../support/closing.js";
import { createTestDatabase, type TestDatabase, tenantsOf } from "../../support/postgres/postgres.js";
import { eventually } from "../../support/service/service.js";
import { newId } from "../../support/people/tenants.js";

let database: TestDatabase;
let workspaceId: string;
before(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.pool.query("delete from alerts");
  workspaceId = newId("ws");
});

const nextId = (): string => newId("alr").slice(4);

interface Node {
  sync: AlertSync;
  /** Whether the node reaches PostgreSQL. */
  reach: { ok: boolean };
  errors: unknown[];
  /** The number of batches that reached PostgreSQL. */
  stored(): number;
}

function startNode(reach = { ok: true }): Node {
  const errors: unknown[] = [];
  let stored = 0;
  const sync = createAlertSync({ now: Date.now, onError: (error) => errors.push(error) });
  closeLater(() => Promise.resolve(sync.close()));
  sync.start({
    async store(batch) {
      await storeAlerts(database.pool, batch, nextId);
      stored++;
    },
    isReachable: () => reach.ok,
  });
  return { sync, reach, errors, stored: () => stored };
}

const change = (
  state: HealthState,
  segmentKey = "provider_1:card:USD",
  owner: HealthChange["owner"] = null,
  reasonCodes = [`CODE_OF_${state.toUpperCase()}`],
): HealthChange => ({ owner, provider: segmentKey.split(":")[0] ?? "", segmentKey, state, reasonCodes });

const live = (): Promise<Alert[]> =>
  listAlerts(tenantsOf(database.pool).of(workspaceId), workspaceId, "live");
const open = async (): Promise<[string, string, string][]> =>
  (await live())
    .filter(({ closedAt }) => closedAt === null)
    .map(({ segmentKey, severity, reasonCode }): [string, string, string] => [
      segmentKey ?? "",
      severity,
      reasonCode,
    ])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
const becomes = (expected: [string, string, string][]): Promise<void> =>
  eventually(async () => assert.deepEqual(await open(), expected));

const KEY = "provider_1:card:USD";

describe("alerts are opened and closed by health-state changes", () => {
  it("ALRT-2: degraded warns, critical and unavailable are critical, healthy and watch close, unknown leaves it", () => {
    assert.deepEqual(
      HEALTH_STATES.map((state) => [
        state,
        alertEffect(state, ["CODE"], false),
        alertEffect(state, ["CODE"], true),
      ]),
      [
        ["healthy", "close", "close"],
        ["watch", "close", "close"],
        ["degraded", "warning", "warning"],
        ["critical", "critical", "critical"],
        ["unavailable", "critical", "critical"],
        ["unknown", "keep", "close"],
      ],
    );
    for (const state of HEALTH_STATES) assert.equal(alertEffect(state, [], true), "close");
    // ALRT-3: an incident that changes a state opens an alert, whichever state it is.
    assert.equal(alertEffect("watch", ["PROVIDER_1_INCIDENT_REPORTED"], true), "warning");
  });

  it("one alert per incident: severity rises with the state and never falls while it is open", async () => {
    const { sync } = startNode();
    sync.note([change("degraded")], true);
    await becomes([[KEY, "warning", "CODE_OF_DEGRADED"]]);
    const [opened] = await live();
    sync.note([change("unavailable")], false);
    await becomes([[KEY, "critical", "CODE_OF_UNAVAILABLE"]]);
    sync.note([change("degraded"), change("critical", "provider_2:card:USD")], false);
    await becomes([
      [KEY, "critical", "CODE_OF_UNAVAILABLE"],
      ["provider_2:card:USD", "critical", "CODE_OF_CRITICAL"],
    ]);
    sync.note([change("unknown")], false);
    sync.note([change("watch", "provider_2:card:USD")], false);
    await becomes([[KEY, "critical", "CODE_OF_UNAVAILABLE"]]);
    sync.note([change("watch")], false);
    await becomes([]);
    const closed = (await live()).find(({ segmentKey }) => segmentKey === KEY);
    assert.equal(closed?.alertId, opened?.alertId);
    assert.deepEqual(closed?.openedAt, opened?.openedAt);
    sync.note([change("degraded")], false);
    await becomes([[KEY, "warning", "CODE_OF_DEGRADED"]]);
    assert.equal((await live()).filter(({ segmentKey }) => segmentKey === KEY).length, 2);
  });

  it("a provider's outage opens an alert for each of its segments, and its end closes them", async () => {
    const startMs = 1_763_600_000_000;
    const monitor = new HealthMonitor({
      providers: ["provider_1", "provider_2"],
      paymentMethods: ["card", "wallet"],
      currencies: ["USD"],
      seed: 1,
    });
    const { sync } = startNode();
    const tell = (tick: ReturnType<HealthMonitor["tick"]>): void =>
      sync.note(
        tick.changedStates.map(({ segment_key, provider, to, reason_codes }) => ({
          owner: null,
          provider,
          segmentKey: segment_key,
          state: to,
          reasonCodes: reason_codes,
        })),
        tick.restarted,
      );
    tell(monitor.warmUp(startMs));
    await becomes([]);
    const toMs = startMs + 60_000;
    monitor.setIncidents([{ provider: "provider_1", kind: "timeouts", intensity: 1, fromMs: startMs, toMs }]);
    for (let nowMs = startMs + 1000; nowMs <= toMs; nowMs += 1000) tell(monitor.tick(nowMs));
    await becomes([
      ["provider_1:card:USD", "critical", "CIRCUIT_OPEN"],
      ["provider_1:wallet:USD", "critical", "CIRCUIT_OPEN"],
    ]);
    for (let nowMs = toMs + 1000; nowMs <= toMs + 900_000; nowMs += 1000) tell(monitor.tick(nowMs));
    await becomes([]);
  });

  it("several nodes with the same probes open one alert, and a second close changes nothing", async () => {
    const nodes = [startNode(), startNode(), startNode()];
    for (const { sync } of nodes) sync.note([change("critical")], true);
    await eventually(async () => assert.ok(nodes.every(({ stored }) => stored() === 1)));
    await becomes([[KEY, "critical", "CODE_OF_CRITICAL"]]);
    assert.equal((await live()).length, 1);
    nodes[0]?.sync.note([change("healthy")], false);
    await becomes([]);
    const [closed] = await live();
    nodes[1]?.sync.note([change("healthy")], false);
    nodes[2]?.sync.note([change("healthy"), change("degraded", "provider_3:card:USD")], false);
    await becomes([["provider_3:card:USD", "warning", "CODE_OF_DEGRADED"]]);
    const [, again] = (await live()).toSorted((a, b) =>
      (a.segmentKey ?? "") > (b.segmentKey ?? "") ? -1 : 1,
    );
    assert.deepEqual(again, closed);
    assert.deepEqual(
      nodes.flatMap(({ errors }) => errors),
      [],
    );
  });

  it("PostgreSQL's return stores the alerts that still hold, but none that has ended meanwhile", async () => {
    const node = startNode();
    node.sync.note([change("degraded", "provider_4:card:USD")], true);
    await becomes([["provider_4:card:USD", "warning", "CODE_OF_DEGRADED"]]);
    node.reach.ok = false;
    node.sync.note([change("critical"), change("degraded", "provider_2:card:USD")], false);
    node.sync.note(
      [change("healthy", "provider_2:card:USD"), change("healthy", "provider_4:card:USD")],
      false,
    );
    await eventually(async () => assert.equal(node.errors.length, 1));
    assert.equal((await live()).length, 1);
    node.reach.ok = true;
    await becomes([[KEY, "critical", "CODE_OF_CRITICAL"]]);
    assert.deepEqual((await live()).map(({ segmentKey }) => segmentKey ?? "").toSorted(), [
      KEY,
      "provider_4:card:USD",
    ]);
  });

  it("a restart closes the alert of a healthy segment, and keeps one that still holds", async () => {
    const { sync } = startNode();
    const owner = { workspaceId, mode: "live" as const };
    sync.note(
      [change("critical"), change("critical", "provider_2:card:USD"), change("degraded", KEY, owner)],
      true,
    );
    await eventually(async () => assert.equal((await open()).length, 3));
    const before = await live();
    sync.close();
    const restarted = startNode().sync;
    restarted.note([change("critical"), change("healthy", "provider_2:card:USD")], true);
    // The workspace's own alert waits until the outcomes have been replayed.
    await eventually(async () => assert.equal((await open()).length, 2));
    restarted.note([change("degraded", KEY, owner)], false);
    restarted.note([change("healthy", KEY, owner)], false);
    await becomes([[KEY, "critical", "CODE_OF_CRITICAL"]]);
    const held = (await live()).find(({ closedAt }) => closedAt === null);
    assert.ok(before.some(({ alertId }) => alertId === held?.alertId));
    assert.equal((await live()).length, 3);
  });

  it("a start without PostgreSQL closes ended alerts once PostgreSQL is back", async () => {
    startNode().sync.note([change("critical"), change("critical", "provider_2:card:USD")], true);
    await eventually(async () => assert.equal((await open()).length, 2));
    const late = startNode({ ok: false });
    late.sync.note([change("critical"), change("healthy", "provider_2:card:USD")], true);
    await eventually(async () => assert.equal(late.errors.length, 1));
    assert.equal((await open()).length, 2);
    late.reach.ok = true;
    await becomes([[KEY, "critical", "CODE_OF_CRITICAL"]]);
  });

  it("DUR-14: skips an alert that PostgreSQL refuses for its contents, and delays no other", async () => {
    await database.pool.query(
      "alter table alerts add constraint outsider check (segment_key <> 'provider_2:card:USD') not valid",
    );
    const segments = ["provider_1:card:USD", "provider_2:card:USD", "provider_3:card:USD"];
    const open = segments.map((segmentKey) => ({
      kind: "provider_health" as const,
      owner: null,
      provider: segmentKey.slice(0, 10),
      segmentKey,
      evidence: null,
      severity: "critical" as const,
      reasonCode: "CIRCUIT_OPEN",
      openedAtMs: Date.now(),
    }));
    const refused: unknown[] = [];
    const batch = { closesUnlisted: true, confirm: true, open, closed: [] };
    await storeAlerts(database.pool, batch, nextId, (error) => refused.push(error));
    await database.pool.query("alter table alerts drop constraint outsider");
    assert.deepEqual((await live()).map(({ segmentKey }) => segmentKey ?? "").toSorted(), [
      "provider_1:card:USD",
      "provider_3:card:USD",
    ]);
    assert.equal(refused.length, 1);
    // If no alert could be stored, the cause may be temporary, so all of them may be stored later.
    await database.pool.query(
      `create function refuse_alert() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
       create trigger outsider before insert on alerts for each row execute function refuse_alert()`,
    );
    const again = storeAlerts(database.pool, batch, nextId, (error) => refused.push(error));
    await assert.rejects(again, { code: "P0001" });
    await database.pool.query("drop trigger outsider on alerts");
    assert.equal(refused.length, 1);
  });

  it("ALRT-5: all nodes share a workspace's own alert, and it ends when no node holds it any more", async () => {
    const [first, second] = [startNode(), startNode()];
    const owner = { workspaceId, mode: "live" as const };
    first?.sync.note([change("degraded", KEY, owner)], true);
    await eventually(async () => assert.equal(first?.stored(), 1));
    second?.sync.note([], true);
    await eventually(async () => assert.equal(second?.stored(), 1));
    await becomes([[KEY, "warning", "CODE_OF_DEGRADED"]]);
    second?.sync.note([change("critical", KEY, owner), change("degraded", "provider_9:card:USD")], false);
    await eventually(async () => assert.equal((await open()).length, 2));
    assert.equal((await live()).length, 2);
    second?.sync.note([change("healthy", KEY, owner)], false);
    await becomes([["provider_9:card:USD", "warning", "CODE_OF_DEGRADED"]]);
    const stranger = newId("ws");
    const other = await listAlerts(tenantsOf(database.pool).of(stranger), stranger, "live");
    assert.deepEqual(
      other.map(({ segmentKey }) => segmentKey),
      ["provider_9:card:USD"],
    );
    second?.sync.note([change("degraded", KEY, owner)], false);
    await eventually(async () => assert.equal((await open()).length, 2));
    const confirm = (): Promise<void> =>
      storeAlerts(database.pool, { closesUnlisted: false, confirm: true, open: [], closed: [] }, nextId);
    await confirm();
    assert.equal((await open()).length, 2);
    await database.pool.query("update alerts set confirmed_at = now() - interval '6 minutes'");
    await confirm();
    await becomes([["provider_9:card:USD", "warning", "CODE_OF_DEGRADED"]]);
  });

  it("the end of a workspace's own view closes its alert, in any state of the probes", async () => {
    const { sync } = startNode();
    const owner = { workspaceId, mode: "live" as const };
    sync.note([change("degraded", KEY, owner)], true);
    await becomes([[KEY, "warning", "CODE_OF_DEGRADED"]]);
    sync.note([change("degraded", KEY, owner, [])], false);
    await becomes([]);
  });
});
