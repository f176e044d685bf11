import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { idFromHex } from "../../../src/domain/ids/ids.js";
import {
  decisionBody,
  eventually,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";

const KILLS = 3;
const CLIENTS = 8;
/** PostgreSQL refuses one order in this many. */
const REFUSED_EVERY = 10;

/** The decision ids that clients received. */
interface Acknowledged {
  good: Set<string>;
  refused: Set<string>;
}

/** Clients that decide orders in sequence until `isOver`. If a kill breaks a connection, the request has no answer. */
function decideAll(
  service: RunningService,
  acknowledged: Acknowledged,
  isOver: () => boolean,
): Promise<unknown> {
  let orders = 0;
  const client = async (): Promise<void> => {
    while (!isOver()) {
      const isRefused = ++orders % REFUSED_EVERY === 0;
      const response = await fetch(`${service.url}/v1/decision`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": service.key },
        body: JSON.stringify(decisionBody({ order_id: `order_${orders}${isRefused ? "_refused" : ""}` })),
      }).catch(() => null);
      const reply = await response?.json().catch(() => null);
      if (response?.status === 200 && reply !== null && reply !== undefined)
        acknowledged[isRefused ? "refused" : "good"].add((reply as { decision_id: string }).decision_id);
      else await sleep(20);
    }
  };
  return Promise.all(Array.from({ length: CLIENTS }, client));
}

describe("rows that PostgreSQL refuses, beside kill -9", () => {
  it("DUR-9, DUR-10: every good row is stored once and every refused one is set aside once", async (t) => {
    const service = await startTestService({ RATE_LIMIT_PER_MINUTE: "0", DECISION_WORKERS: "2" });
    const { pool } = service;
    await pool.query("alter table decisions add constraint outsider check (order_id not like '%\\_refused')");
    const acknowledged: Acknowledged = { good: new Set(), refused: new Set() };
    let isOver = false;
    const load = decideAll(service, acknowledged, () => isOver);
    for (let kill = 0; kill < KILLS; kill++) {
      const before = acknowledged.refused.size;
      await eventually(async () => assert.ok(acknowledged.refused.size > before + 5));
      await sleep(Math.random() * 300);
      await service.killAndRestart();
    }
    isOver = true;
    await load;
    const idsIn = async (table: string, where: string): Promise<string[]> => {
      const { rows } = await pool.query<{ decision_id: string }>(
        `select decision_id from ${table} where ${where}`,
      );
      return rows.map(({ decision_id }) => idFromHex("dec", decision_id));
    };
    const missing = (acknowledgedIds: Set<string>, ids: readonly string[]): string[] => {
      const found = new Set(ids);
      return [...acknowledgedIds].filter((id) => !found.has(id));
    };
    // A decision that a kill cut off may have been made. It may therefore be stored as well.
    await eventually(async () => {
      const [stored, setAside] = [
        await idsIn("decisions", "true"),
        await idsIn("set_aside", "kind = 'decision'"),
      ];
      assert.deepEqual(
        [missing(acknowledged.good, stored), missing(acknowledged.refused, setAside)],
        [[], []],
      );
    });
    const [stored, setAside] = [
      await idsIn("decisions", "true"),
      await idsIn("set_aside", "kind = 'decision'"),
    ];
    assert.equal(new Set(stored).size, stored.length, "each once");
    assert.equal(new Set(setAside).size, setAside.length, "each once");
    assert.deepEqual(
      stored.filter((id) => setAside.includes(id)),
      [],
      "none in both",
    );
    t.diagnostic(
      `${stored.length} stored and ${setAside.length} set aside around ${KILLS} kills; acknowledged: ${acknowledged.good.size} and ${acknowledged.refused.size}`,
    );
  });
});
