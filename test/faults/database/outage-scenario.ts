import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { EmbeddedPostgres } from "../../../src/platform/postgres/embedded/embedded-postgres.js";
import { idToHex } from "../../../src/domain/ids/ids.js";
import type { DatabaseGate } from "../../support/postgres/database-gate.js";
import { isStarved, startNoiseMeter, timed, type HostNoise } from "../../support/waiting/host-noise.js";
import { assertAggregatesExact, assertLedgerKept } from "../../support/load/ledger-check.js";
import type { MerchantLoad } from "../../support/load/merchant-load.js";
import type { StartLoad } from "../../support/load/merchant-scene.js";
import { signalPostgres } from "../../support/postgres/postgres-processes.js";
import { eventually, send, untilAnswered, type RunningService } from "../../support/service/service.js";

/** The limits of DUR-3 to DUR-5. */
const NAMED_WITHIN_MS = 5000;
const READ_ANSWERED_WITHIN_MS = 2000;
const DRAINED_WITHIN_MS = 30_000;

/** Begins an outage. Resolves to a function that ends it. */
export type Outage = (server: EmbeddedPostgres, gate: DatabaseGate) => Promise<() => Promise<void>>;

export async function unreachable(
  _server: EmbeddedPostgres,
  gate: DatabaseGate,
): Promise<() => Promise<void>> {
  await gate.shut();
  return () => gate.open();
}

export async function frozen(server: EmbeddedPostgres): Promise<() => Promise<void>> {
  await signalPostgres(server.pid(), "SIGSTOP");
  return () => signalPostgres(server.pid(), "SIGCONT");
}

/** The server is killed at once, and nothing answers in its place until it is back. */
export async function killed(server: EmbeddedPostgres, gate: DatabaseGate): Promise<() => Promise<void>> {
  await signalPostgres(server.pid(), "SIGKILL");
  await gate.shut();
  return () => gate.open();
}

/** The supervisor restarts the server after each kill, so the server may answer between two kills. */
export async function killedOverAndOver(server: EmbeddedPostgres): Promise<() => Promise<void>> {
  let over = false;
  const killing = (async () => {
    while (!over) {
      await signalPostgres(server.pid(), "SIGKILL");
      await sleep(20);
    }
  })();
  return () => {
    over = true;
    return killing;
  };
}

export interface OutageOptions {
  service: RunningService;
  startLoad: StartLoad;
  ratePerSecond?: number;
  begin(): Promise<() => Promise<void>>;
  /** Runs while PostgreSQL is away, and so determines the length of the outage. */
  meanwhile(): Promise<void>;
  /** True if PostgreSQL may answer now and then. */
  isIntermittent?: boolean;
}

export interface OutageFigures {
  namedAfterMs: number;
  slowestReadMs: number;
  drainedAfterMs: number;
  load: MerchantLoad;
  noise: HostNoise;
}

/**
 * DUR-3 to DUR-5: while PostgreSQL is away, decisions and outcomes continue, reads are refused in time, and nothing is
 * lost.
 */
export async function surviveOutage(options: OutageOptions): Promise<OutageFigures> {
  const { service, startLoad, isIntermittent = false, ratePerSecond = 500 } = options;
  const meter = startNoiseMeter();
  const load = startLoad({ ratePerSecond });
  await sleep(500);
  const known = await eventually(async () => {
    const [first] = load.ledger.acknowledged.keys();
    assert.ok(first !== undefined, "no decision was acknowledged");
    return first;
  });
  assert.equal((await untilAnswered(() => send(service, "GET", `/v1/decisions/${known}`))).status, 200);

  const end = await options.begin();
  const beganMs = performance.now();
  let namedAfterMs = 0;
  let slowestReadMs = 0;
  /** The slowest read, without the time spent waiting for a core. */
  let slowestOwnMs = 0;
  const readAll = async (): Promise<void> => {
    await Promise.all(
      [`/${known}`, "", "/aggregate", "/shadow-report"].map(async (path) => {
        const { answer, tookMs, queuedMs } = await timed(
          () => send(service, "GET", `/v1/decisions${path}`),
          service.process.pid,
        );
        const { status } = answer;
        slowestReadMs = Math.max(slowestReadMs, tookMs);
        slowestOwnMs = Math.max(slowestOwnMs, tookMs - queuedMs);
        assert.ok(status === 503 || (isIntermittent && status === 200), `a read: ${status}`);
      }),
    );
  };
  let lastBefore = "";
  try {
    const meanwhile = options.meanwhile();
    // Reads are tried at once, before the node can know of the outage, and again when it knows.
    const first = readAll();
    await eventually(async () => {
      const { status, json } = await send(service, "GET", "/ready", { key: null });
      assert.equal(status, 503);
      assert.deepEqual(json, { status: "not_ready", checks: { postgres: "unreachable", lmdb: "ok" } });
    });
    namedAfterMs = performance.now() - beganMs;
    await Promise.all([first, readAll()]);
    assert.equal((await send(service, "GET", "/health", { key: null })).status, 200);
    await meanwhile;
    lastBefore = [...load.ledger.acknowledged.keys()].at(-1) ?? "";
  } finally {
    await end();
  }

  const endedMs = performance.now();
  await eventually(async () => {
    assert.equal((await send(service, "GET", "/ready", { key: null })).status, 200);
    const { rowCount } = await service.pool.query("select from decisions where decision_id = $1", [
      idToHex(lastBefore),
    ]);
    assert.equal(rowCount, 1, "drained, oldest first");
  });
  const drainedAfterMs = performance.now() - endedMs;

  await load.finish();
  const noise = meter.stop();
  if (!isStarved(noise)) {
    assert.ok(namedAfterMs < NAMED_WITHIN_MS, `named after ${namedAfterMs} ms`);
    assert.ok(slowestOwnMs < READ_ANSWERED_WITHIN_MS, `a read took ${slowestOwnMs} ms`);
    assert.ok(drainedAfterMs < DRAINED_WITHIN_MS, `drained after ${drainedAfterMs} ms`);
  }
  // A review is resolved in PostgreSQL. It may be stored even if its answer was lost.
  const expected = isStarved(noise)
    ? /^(decision (200|503)|outcome (200|503)|review (200|503|409))$/
    : /^(decision 200|outcome 200|review (200|503|409))$/;
  for (const answer of load.answers.keys()) assert.match(answer, expected);
  assert.deepEqual([...load.breaks], [], "no connection breaks");
  await assertLedgerKept(service.pool, load.ledger);
  await assertAggregatesExact(service);
  assert.equal((await untilAnswered(() => send(service, "GET", `/v1/decisions/${known}`))).status, 200);
  return { namedAfterMs, slowestReadMs, drainedAfterMs, load, noise };
}
