import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { assertAggregatesExact, assertLedgerKept } from "../../support/load/ledger-check.js";
import { setMerchantScene } from "../../support/load/merchant-scene.js";
import { mountReadOnly } from "../../support/machine/mounts.js";
import {
  decisionBody,
  eventually,
  send,
  untilAnswered,
  type RunningService,
} from "../../support/service/service.js";

export const SMALL_DISK_BYTES = 192 * 2 ** 20;

/** Each function begins a fault and resolves to a function that ends it. */
export const DISK_FAULTS: Record<string, (dir: string) => Promise<() => Promise<unknown>>> = {
  async full(dir) {
    const filler = join(dir, "filler");
    await writeFile(filler, Buffer.alloc(SMALL_DISK_BYTES)).catch((error: NodeJS.ErrnoException) => {
      assert.equal(error.code, "ENOSPC");
    });
    return () => rm(filler);
  },
  "read-only": mountReadOnly,
};

export interface DiskFigures {
  refusedAfterMs: number;
  backAfterMs: number;
  refused: number;
  decisions: number;
}

/**
 * DUR-6: a decision that cannot be journalled is answered 503 and never lost. The node continues when it can write
 * again.
 */
export async function surviveDiskFault(
  service: RunningService,
  fault: (dir: string) => Promise<() => Promise<unknown>>,
  lastsMs: number,
): Promise<DiskFigures> {
  const startLoad = await setMerchantScene(service);
  const load = startLoad();
  const decide = () => send(service, "POST", "/v1/decision", { body: decisionBody() });
  await sleep(1000);
  const rejectedBefore = await countRejected(service);

  const end = await fault(service.dataDir);
  let refusedAfterMs = 0;
  try {
    const beganMs = performance.now();
    await eventually(async () => {
      const { status, json } = await decide();
      assert.deepEqual([status, json["message"]], [503, "Decisions cannot be recorded right now"]);
    });
    refusedAfterMs = performance.now() - beganMs;
    assert.ok((await countRejected(service)) > rejectedBefore, "the metric says so");
    // OPS-4: /ready reports the fault, so that a load balancer sends decisions to other nodes.
    await eventually(async () => {
      const { status, json } = await send(service, "GET", "/ready", { key: null });
      assert.deepEqual([status, json["checks"]], [503, { postgres: "ok", lmdb: "unreachable" }]);
    });
    // The fault lasts through the prober's ticks and the writer's sweeps, which must survive it too.
    await sleep(lastsMs);
    assert.equal((await send(service, "GET", "/health", { key: null })).status, 200);
    assert.equal((await untilAnswered(() => send(service, "GET", "/v1/decisions?page_size=1"))).status, 200);
  } finally {
    await end();
  }
  const endedMs = performance.now();
  await eventually(async () => assert.equal((await decide()).status, 200));
  const backAfterMs = performance.now() - endedMs;
  await eventually(async () => {
    assert.equal((await send(service, "GET", "/ready", { key: null })).status, 200);
  });

  await load.finish();
  for (const answer of load.answers.keys()) assert.match(answer, /^(decision|outcome|review) (200|503)$/);
  assert.deepEqual([...load.breaks], []);
  await assertLedgerKept(service.pool, load.ledger);
  await assertAggregatesExact(service);
  // The journal must also be intact for a new process that reads it.
  await service.killAndRestart();
  assert.equal((await decide()).status, 200);
  await assertLedgerKept(service.pool, load.ledger);
  return {
    refusedAfterMs,
    backAfterMs,
    refused: load.answers.get("decision 503") ?? 0,
    decisions: load.ledger.acknowledged.size,
  };
}

async function countRejected({ metricsUrl }: RunningService): Promise<number> {
  const metrics = await (await fetch(metricsUrl)).text();
  const [, count] =
    /^payinference_overload_rejections_total\{reason="journal_unavailable"\} (\d+)$/m.exec(metrics) ?? [];
  return Number(count);
}
