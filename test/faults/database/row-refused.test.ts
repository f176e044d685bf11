import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { outcomeReport } from "../../support/people/client-requests.js";
import {
  AS_DELIVERED,
  decisionBody,
  eventually,
  send,
  untilAnswered,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";

async function setAsideGauge({ metricsUrl }: RunningService): Promise<string | undefined> {
  const text = await (await fetch(metricsUrl)).text();
  return /^payinference_set_aside (\d+)$/m.exec(text)?.[1];
}

async function decide(service: RunningService, orderId: string): Promise<string> {
  const { status, json } = await send(service, "POST", "/v1/decision", {
    body: decisionBody({ order_id: orderId }),
  });
  assert.equal(status, 200);
  return String(json["decision_id"]);
}

describe("a row that PostgreSQL refuses stays the row's own", () => {
  it("DUR-9, DUR-10, DUR-11: with a CHECK constraint on one order_id, only that row is 503; the others are stored and read, and /ready stays 200", async () => {
    const service = await startTestService(AS_DELIVERED);
    await service.pool.query(
      "alter table decisions add constraint outsider check (order_id <> 'order_refused')",
    );
    const before = await decide(service, "order_before");
    const refused = await decide(service, "order_refused");
    const after = await decide(service, "order_after");
    for (const [decisionId, status] of [
      [before, 200],
      [after, 200],
    ] as const) {
      assert.equal(
        (await untilAnswered(() => send(service, "GET", `/v1/decisions/${decisionId}`))).status,
        status,
      );
    }
    const listed = await untilAnswered(() => send(service, "GET", "/v1/decisions"));
    assert.equal(listed.status, 200);
    assert.deepEqual(
      (listed.json["decisions"] as { order_id: string }[]).map(({ order_id }) => order_id),
      ["order_after", "order_before"],
    );
    assert.equal((await send(service, "GET", `/v1/decisions/${refused}`)).status, 503);
    assert.equal((await send(service, "POST", `/v1/decisions/${refused}/replay`)).status, 503);
    await eventually(async () => assert.equal(await setAsideGauge(service), "1"));
    assert.equal((await send(service, "GET", "/ready", { key: null })).status, 200);
    const { rows } = await service.pool.query(
      "select kind, sql_state, statement ~ '^decisions_' as of_decisions, message, node_id is not null as has_node, position from set_aside",
    );
    assert.equal(rows.length, 1);
    assert.match(String(rows[0]?.message), /violates check constraint "outsider"/);
    assert.equal(rows[0]?.kind, "decision");
    assert.equal(rows[0]?.sql_state, "23514");
    assert.equal(service.log().includes("order_refused"), false);

    // A report for the row set aside waits for it. Reports for other rows do not.
    for (const [decisionId, orderId] of [
      [refused, "order_refused"],
      [after, "order_after"],
    ] as const) {
      const body = { ...outcomeReport(decisionId), order_id: orderId };
      assert.equal((await send(service, "POST", "/v1/outcomes", { body })).status, 200);
    }
    await eventually(async () => {
      const stored = await service.pool.query("select from outcomes");
      const waiting = await service.pool.query("select from unmatched_outcomes");
      assert.deepEqual([stored.rowCount, waiting.rowCount], [1, 1]);
    });
  });

  it("DUR-9: an outcome that is refused when its decision arrives delays no other outcome", async () => {
    const service = await startTestService(AS_DELIVERED);
    await service.pool.query(
      `alter table decisions add constraint later check (order_id not like 'order_late%') not valid;
       alter table outcomes add constraint outsider check (order_id <> 'order_late_refused')`,
    );
    const ids = new Map<string, string>();
    for (const orderId of ["order_late_refused", "order_late_good"]) {
      const decisionId = await decide(service, orderId);
      ids.set(orderId, decisionId);
      const body = { ...outcomeReport(decisionId), order_id: orderId };
      assert.equal((await send(service, "POST", "/v1/outcomes", { body })).status, 200);
    }
    await eventually(async () => {
      const { rowCount } = await service.pool.query("select from unmatched_outcomes");
      assert.equal(rowCount, 2);
    });
    // The decisions arrive as if another node had made them.
    await service.pool.query(
      `alter table decisions drop constraint later;
       insert into decisions (workspace_id, decision_id, segment_id, amount_minor, doc_offset, doc_bytes, latency_units,
         mode, decision_mode, action, payment_method, risk_band, merchant_id, order_id, currency)
       select s.workspace_id, s.decision_id, s.decision_id, 1, 0, 0, 1, s.mode, 0, 0, 0, 0, 'demo_merchant', u.order_id, 'USD'
       from set_aside s join unmatched_outcomes u using (workspace_id, mode, decision_id)`,
    );
    await eventually(async () => {
      const stored = await service.pool.query<{ order_id: string }>("select order_id from outcomes");
      assert.deepEqual(stored.rows, [{ order_id: "order_late_good" }]);
      const { rows } = await service.pool.query(
        "select convert_from(entry, 'UTF8')::json->>'order_id' as order_id, sql_state from set_aside where kind = 'kept_outcome'",
      );
      assert.deepEqual(rows, [{ order_id: "order_late_refused", sql_state: "23514" }]);
    });
    assert.equal((await send(service, "GET", "/ready", { key: null })).status, 200);
  });
});
