import assert from "node:assert/strict";
import { describe, it } from "node:test";
import pg from "pg";
import { ALERT_KIND_ROWS } from "../../../src/domain/vocabulary/alert-kinds.js";
import { closeLater } from "../../support/closing.js";
import { outcomeReport } from "../../support/people/client-requests.js";
import { createEmptyDatabase, createTestDatabase } from "../../support/postgres/postgres.js";
import { startNode } from "../../support/service/node.js";
import {
  decisionBody,
  eventually,
  send,
  sendRead,
  type RunningService,
} from "../../support/service/service.js";

type Row = Record<string, unknown>;

/** Opens a transaction that has written, as a forgotten psql would. It stays open until the test file ends. */
async function holdTransactionOpen(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  closeLater(() => client.end());
  await client.query("begin");
  await client.query("create table somebody_elses (n integer)");
  await client.query("insert into somebody_elses values (1)");
  return client;
}

const CANADIAN = { amount: 5000, currency: "CAD", country: "CA", payment_method: "card" };

/**
 * Makes a decision and reports a timeout of provider_1, in a currency that nobody probes. Resolves to the decision's
 * id.
 */
async function reportTimeout(service: RunningService): Promise<string> {
  const body = decisionBody({ transaction: CANADIAN });
  const decisionId = String((await send(service, "POST", "/v1/decision", { body })).json["decision_id"]);
  const report = { ...outcomeReport(decisionId), currency: "CAD", outcome: "timeout" };
  assert.equal((await send(service, "POST", "/v1/outcomes", { body: report })).status, 200);
  return decisionId;
}

const PLACES = {
  "the same database": (url: string) => Promise.resolve(url),
  "another database of the server": async () => (await createEmptyDatabase()).url,
} as const;

for (const [place, urlOf] of Object.entries(PLACES)) {
  describe(`beside a transaction that stays open in ${place}`, () => {
    it("HLTH-27: health learns, alerts open, changes arrive, reads answer, and a stop drains", async () => {
      const { url } = await createTestDatabase();
      const service = await startNode({ DATABASE_URL: url, RATE_LIMIT_PER_MINUTE: "0" });
      const open = await holdTransactionOpen(await urlOf(url));

      const decisionIds: string[] = [];
      for (let i = 0; i < 60; i++) decisionIds.push(await reportTimeout(service));
      await eventually(async () => {
        const { json } = await send(service, "GET", "/v1/provider-health");
        const shown = (json["providers"] as Row[]).find(
          ({ segment_key: key }) => key === "provider_1:card:CAD",
        );
        assert.equal(shown?.["state"], "unavailable");
      }, 20_000);
      await eventually(async () => {
        // An alert of another kind can open there too, for what customers feel.
        const { rows } = await service.pool.query(
          `select from alerts where segment_key = 'provider_1:card:CAD' and closed_at is null
             and kind = ${ALERT_KIND_ROWS.workspace_health.code}`,
        );
        assert.equal(rows.length, 1);
      });
      // Another client makes this change. Only the change feed tells the node.
      await service.pool.query("update workspaces set default_decision_mode = 1");
      await eventually(async () => {
        const { json } = await send(service, "POST", "/v1/decision", { body: decisionBody() });
        assert.equal(json["decision_mode"], "shadow");
      });
      for (const decisionId of [decisionIds[0], decisionIds[59]]) {
        assert.equal((await sendRead(service, "GET", `/v1/decisions/${decisionId}`)).status, 200);
      }
      assert.equal((await sendRead(service, "GET", "/v1/decisions?page_size=1")).status, 200);

      await reportTimeout(service);
      assert.equal(await service.stop(), 0);
      assert.doesNotMatch(service.log(), /not drained/);
      const { rows } = await service.pool.query("select count(*)::int as stored from outcomes");
      assert.deepEqual(rows, [{ stored: 61 }]);
      // The transaction was open all the time.
      assert.deepEqual((await open.query("select n from somebody_elses")).rows, [{ n: 1 }]);
    });
  });
}
