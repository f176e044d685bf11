import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { Agent, get } from "node:http";
import { describe, it } from "node:test";
import { Worker } from "node:worker_threads";
import { setTimeout as sleep } from "node:timers/promises";
import { idFromHex } from "../../../src/domain/ids/ids.js";
import { TUNING } from "../../../src/domain/vocabulary/tuning.js";
import { closeLater } from "../../support/closing.js";
import { compiled, createDataDir, healthyPool, submitDecision } from "../../support/service/actor-parts.js";
import { postDecision } from "../../support/load/decision-load.js";
import type { HttpReply } from "../../support/http/http-request.js";
import { createTestDatabase, temporaryDir } from "../../support/postgres/postgres.js";
import { createServiceProcess } from "../../support/service/service-process.js";
import { decisionBody, eventually } from "../../support/service/service.js";

const MIB = 2 ** 20;

/** Resident memory in bytes (field 2 of /proc/<pid>/statm, in pages of 4 KiB). */
async function residentBytes(pid: number): Promise<number> {
  return Number((await readFile(`/proc/${pid}/statm`, "utf8")).split(" ")[1]) * 4096;
}

/** Blocks all commits until the returned function is called. */
async function holdJournal(dataDir: string): Promise<() => Promise<void>> {
  const release = new Int32Array(new SharedArrayBuffer(4));
  const holder = new Worker(compiled("test/support/workers/journal-lock-worker.js"), {
    workerData: { options: { dataDir, bytesMax: 64 * MIB, syncEveryCommit: false }, release },
  });
  const exited = once(holder, "exit");
  await once(holder, "message");
  return async () => {
    Atomics.store(release, 0, 1);
    Atomics.notify(release, 0);
    await exited;
  };
}

const idOf = (reply: HttpReply): string => (JSON.parse(reply.text) as { decision_id: string }).decision_id;

function open(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(`${url}/health`, { agent }, (response) => response.resume().on("end", resolve)).on("error", reject);
  });
}

describe("overload", () => {
  it("ERR-3, OPS-9: above the node's limit further requests get 503 at once, memory stays bounded, and it recovers", async (t) => {
    const database = await createTestDatabase();
    const service = await createServiceProcess(await temporaryDir(), {
      DATABASE_URL: database.url,
      // Requests that wait for the journal are never overdue here, even if a starved host refuses the rest slowly.
      PAYINFERENCE_TEST_PATIENCE: "100",
    });
    await service.untilStatus("/ready", 200);
    const key = await service.key();
    const excess = 400;
    const requests = TUNING.pendingRequestsMax + excess;
    const agent = new Agent({ keepAlive: true, maxSockets: requests });
    // The connections are opened first, so that the burst itself is short.
    await Promise.all(Array.from({ length: requests }, () => open(service.url, agent)));
    const pid = service.child.pid ?? 0;
    const before = await residentBytes(pid);
    const acknowledged: string[] = [];
    // The first use of the key looks it up. The bursts must not wait for that look-up.
    assert.equal((await postDecision({ url: service.url, key, body: decisionBody() }))?.status, 200);

    for (let burst = 0; burst < 2; burst++) {
      const release = await holdJournal(service.dataDir);
      const replies: (HttpReply | null)[] = [];
      const all = Array.from({ length: requests }, async (_, i) => {
        const body = decisionBody({ order_id: `burst_${burst}_${i}` });
        replies.push(await postDecision({ url: service.url, key, agent, body }));
      });
      // The excess requests are answered while no decision can be made, because a refusal needs no place in the line.
      await eventually(async () => assert.ok(replies.length >= excess));
      assert.ok(replies.every((reply) => reply?.status === 503));
      assert.deepEqual(JSON.parse(replies[0]?.text ?? ""), {
        statusCode: 503,
        message: "The service is at its capacity",
        error: "Service Unavailable",
      });
      const grownBytes = (await residentBytes(pid)) - before;
      assert.ok(grownBytes < 150 * MIB, `grown by ${grownBytes / MIB} MiB`);
      await release();
      await Promise.all(all);
      const decided = replies.flatMap((reply) => (reply?.status === 200 ? [idOf(reply)] : []));
      assert.ok(decided.length > 0 && decided.length <= TUNING.pendingRequestsMax);
      assert.equal(replies.filter((reply) => reply?.status === 503).length, requests - decided.length);
      acknowledged.push(...decided);
      t.diagnostic(`burst of ${requests}: ${excess} refused, memory +${(grownBytes / MIB).toFixed()} MiB`);
    }
    assert.equal((await postDecision({ url: service.url, key, body: decisionBody() }))?.status, 200);
    await eventually(async () => {
      const { rows } = await database.pool.query<{ decision_id: string }>(
        "select decision_id from decisions",
      );
      const stored = new Set(rows.map(({ decision_id }) => idFromHex("dec", decision_id)));
      assert.deepEqual(
        acknowledged.filter((id) => !stored.has(id)),
        [],
      );
    });
    agent.destroy();
  });

  it("holds 512 requests for any reason; above that, it refuses those whose turn would come too late", async () => {
    const data = await createDataDir();
    const pool = healthyPool(data, 1);
    closeLater(() => pool.close());
    await pool.warmUp();
    const submit = (count: number) =>
      Array.from({ length: count }, (_, i) => submitDecision(pool, data, `held_${i}`));

    const release = await holdJournal(data.dataDir);
    const held = submit(TUNING.pendingRequestsFree - 1);
    await sleep(2 * TUNING.pendingWaitMsMax);
    held.push(...submit(1));
    const refused = await Promise.all(submit(10));
    assert.deepEqual([...new Set(refused)], ["full"]);
    await release();
    for (const answer of await Promise.all(held)) assert.notEqual(answer, "full");
    const [after] = await Promise.all(submit(1));
    assert.ok(after !== "full", "and what comes then is taken again");
  });
});
