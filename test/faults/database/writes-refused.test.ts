import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type pg from "pg";
import { closeLater } from "../../support/closing.js";
import { outcomeReport } from "../../support/people/client-requests.js";
import {
  AS_DELIVERED,
  decisionBody,
  eventually,
  send,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";

/** OPS-5 allows 30 s. The rest is for a starved host. */
const NAMED_WITHIN_MS = 120_000;

interface LogLine {
  level: string | number;
  msg: string;
  [field: string]: unknown;
}

interface Refusal {
  name: string;
  /** Begins the fault on the service's database. Resolves to a function that ends it. */
  begin(pool: pg.Pool): Promise<() => Promise<unknown>>;
  /** The fields of two log lines: the line that is written at once, and the line about the stalled writer. */
  fields: Record<string, unknown>;
  /** Whether the SQLSTATE is logged at once. */
  isLoggedAtOnce: boolean;
}

const REFUSALS: Refusal[] = [
  {
    name: "a trigger that raises for ever",
    async begin(pool) {
      await pool.query(`
        create function refuse_it() returns trigger language plpgsql as $$
        begin raise exception 'refused: %', new.order_id; end $$;
        create trigger refuse_it before insert on outcomes for each row execute function refuse_it()`);
      return () => pool.query("drop function refuse_it cascade");
    },
    fields: { sqlstate: "P0001", phase: "transaction", statement: "apply_outcomes", function: "refuse_it" },
    isLoggedAtOnce: true,
  },
  {
    name: "a lock that nobody gives back",
    async begin(pool) {
      const client = await pool.connect();
      await client.query("begin; lock table outcomes in access exclusive mode");
      let isHeld = true;
      const end = async (): Promise<void> => {
        if (!isHeld) return;
        isHeld = false;
        await client.query("rollback");
        client.release();
      };
      closeLater(end);
      return end;
    },
    // query_canceled: the time limit of the statement has passed.
    fields: { sqlstate: "57014", phase: "transaction", statement: "apply_outcomes" },
    isLoggedAtOnce: false,
  },
];

const linesOf = (service: RunningService): LogLine[] =>
  service
    .log()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as LogLine);

async function stalledGauge({ metricsUrl }: RunningService): Promise<string | undefined> {
  const text = await (await fetch(metricsUrl)).text();
  return /^payinference_postgres_writes_stalled (\d)$/m.exec(text)?.[1];
}

async function readiness(service: RunningService): Promise<unknown[]> {
  const { status, json } = await send(service, "GET", "/ready", { key: null });
  return [status, json["checks"]];
}

function assertSays(line: LogLine | undefined, fields: Record<string, unknown>): void {
  assert.ok(line);
  for (const [name, value] of Object.entries(fields)) assert.equal(line[name], value, name);
  const { after, through, rows } = line as unknown as Record<"after" | "through" | "rows", number>;
  assert.ok(through > after && rows > 0, JSON.stringify(line));
}

describe("PostgreSQL answers but stores no waiting record for 30 s", { concurrency: 2 }, () => {
  for (const { name, begin, fields, isLoggedAtOnce } of REFUSALS) {
    it(`OPS-5: ${name}: /ready is 503 and the log names the writer's step, until the records are stored`, async () => {
      const service = await startTestService(AS_DELIVERED);
      assert.equal(await stalledGauge(service), "0");
      const { json } = await send(service, "POST", "/v1/decision", {
        body: decisionBody({ order_id: "order_refused" }),
      });
      const decisionId = String(json["decision_id"]);
      await eventually(async () => {
        const { rowCount } = await service.pool.query("select from decisions");
        assert.equal(rowCount, 1);
      });

      const end = await begin(service.pool);
      const reported = await send(service, "POST", "/v1/outcomes", {
        body: { ...outcomeReport(decisionId), order_id: "order_refused" },
      });
      assert.equal(reported.status, 200);
      if (isLoggedAtOnce) {
        await eventually(async () => {
          const logged = linesOf(service).find(
            ({ msg }) => msg === "PostgreSQL refuses what the journal holds",
          );
          assertSays(logged, fields);
        });
      }
      await eventually(
        async () =>
          assert.deepEqual(await readiness(service), [503, { postgres: "unreachable", lmdb: "ok" }]),
        NAMED_WITHIN_MS,
      );
      await eventually(async () => {
        assert.equal(await stalledGauge(service), "1");
        const logged = linesOf(service).filter(
          ({ msg }) => msg === "PostgreSQL answers, but has stored nothing of what waits for it",
        );
        assert.equal(logged.length, 1);
        assertSays(logged[0], fields);
      });
      // The service is alive and decides. The log contains nothing that clients submitted.
      assert.equal((await send(service, "GET", "/health", { key: null })).status, 200);
      assert.equal((await send(service, "POST", "/v1/decision", { body: decisionBody() })).status, 200);
      assert.equal(service.log().includes("order_refused"), false);

      await end();
      await eventually(async () =>
        assert.deepEqual(await readiness(service), [200, { postgres: "ok", lmdb: "ok" }]),
      );
      await eventually(async () => assert.equal(await stalledGauge(service), "0"));
      const { rows } = await service.pool.query("select count(*)::int as outcomes from outcomes");
      assert.deepEqual(rows, [{ outcomes: 1 }]);
    });
  }
});
