import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import type { BacktestReport } from "../../../src/features/policies/backtest/messages.js";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { WORKSPACE_WAITING_MAX } from "../../../src/features/policies/backtest/backtest-thread.js";
import { MODES, OUTCOMES, type Outcome } from "../../../src/domain/vocabulary/vocabulary.js";
import { withDocument } from "../../support/rows/decision-documents.js";
import { decisionRow, decisionsOnly } from "../../support/rows/decision-rows.js";
import { freezeHealth } from "../../support/service/frozen-health.js";
import {
  decisionBody,
  eventually,
  send,
  sendRead,
  startTestService,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";
import { frozenTestService } from "../../support/service/shared-service.js";
import { createKey, createWorkspace, publish } from "../../support/people/tenants.js";
import { ONE_NODE } from "../../support/two-nodes-mode.js";

type Result = Extract<BacktestReport, { type: "result" }>;

let service: RunningService;
let workspaceId: string;
let key: string;
before(async () => {
  service = await frozenTestService();
  workspaceId = await createWorkspace(service, {
    merchants: ["shop", "shop_b", "seen", "many", "empty", "old", "held", "other"],
  });
  key = await createKey(service.pool, workspaceId);
});
// The health is frozen before each test, because the prober ticks once a minute.
beforeEach(() => freezeHealth(service, {}));

const rule = (then: object, when: object = {}) => ({ name: JSON.stringify(then), when, then });
const backtest = (body: object, as = key): Promise<Reply> =>
  send(service, "POST", "/v1/policies/backtest", {
    body: { merchant_id: "shop", policy: { rules: [] }, ...body },
    key: as,
  });
const linesOf = ({ status, text }: Reply): BacktestReport[] => {
  assert.equal(status, 200, text);
  assert.ok(text.endsWith("\n"));
  // A run that makes no progress repeats a line to show that it is alive. Repetitions are left out here.
  return text
    .trimEnd()
    .split("\n")
    .filter((line, at, lines) => line !== lines[at - 1])
    .map((line) => JSON.parse(line) as BacktestReport);
};
const resultOf = (reply: Reply): Result => {
  const last = linesOf(reply).at(-1);
  assert.equal(last?.type, "result");
  return last;
};
const decide = async (merchantId: string, amount: number, as = key): Promise<string> => {
  const { transaction } = decisionBody();
  const body = decisionBody({
    merchant_id: merchantId,
    transaction: { ...(transaction as object), amount },
  });
  const { status, json, text } = await send(service, "POST", "/v1/decision", { body, key: as });
  assert.equal(status, 200, text);
  return String(json["decision_id"]);
};
/** Stores outcomes as the writer does after POST /v1/outcomes. */
const report = async (decisionId: string, outcome: Outcome): Promise<void> => {
  await service.pool.query(
    `insert into outcomes (workspace_id, decision_id, mode, outcome, order_id, provider_used)
     values ($1, $2, $3, $4, 'order_1', 'provider_1')`,
    [idToHex(workspaceId), idToHex(decisionId), MODES.indexOf("test"), OUTCOMES.indexOf(outcome)],
  );
};
/** The PostgreSQL processes that read for backtests. */
const backtestPids = async (): Promise<number[]> => {
  const { rows } = await service.pool.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'payinference-backtest' and datname = current_database()",
  );
  return rows.map(({ pid }) => pid);
};

describe("POST /v1/policies/backtest", () => {
  it("counts and names the decisions that the draft changes, and their effect on known outcomes", async () => {
    const amounts = [100, 200, 300, 400, 500, 600];
    const ids: string[] = [];
    for (const amount of amounts) ids.push(await decide("shop", amount));
    const [low, , third, fourth, fifth] = ids as [string, string, string, string, string];
    // Decisions of another merchant and of the other mode do not belong to this merchant's history in this mode.
    await decide("shop_b", 100);
    await decide("shop", 100, await createKey(service.pool, workspaceId, { mode: "live" }));
    await eventually(async () => assert.equal(resultOf(await backtest({})).replayed, 6));
    await report(low, "approved");
    await report(third, "approved");
    await report(fourth, "soft_declined");
    await report(fifth, "approved");

    const reply = await backtest({
      policy: {
        rules: [
          rule({ type: "block" }, { amount_gte: 500 }),
          rule({ type: "prefer_provider", providers: ["provider_2"] }, { amount_gte: 300 }),
          rule({ type: "step_up" }, { amount_gte: 200, amount_lt: 300 }),
        ],
      },
    });
    const { warnings, changed_decisions, ...result } = resultOf(reply);
    assert.deepEqual(result, {
      type: "result",
      replayed: 6,
      not_replayable: 0,
      changed: 5,
      by_action_before: [{ action: "route", count: 6 }],
      by_action_after: [
        { action: "route", count: 3 },
        { action: "step_up", count: 1 },
        { action: "block", count: 2 },
      ],
      transitions: [
        { before: "route", after: "route", count: 3 },
        { before: "route", after: "step_up", count: 1 },
        { before: "route", after: "block", count: 2 },
      ],
      outcomes: {
        known: 4,
        not_known: 2,
        unchanged: { decisions: 1, approved: 1 },
        provider_changed: { decisions: 2, approved: 1 },
        would_be_blocked: { decisions: 1, approved: 1 },
        would_be_held: { decisions: 0, approved: 0 },
        no_longer_held: { decisions: 0, approved: 0 },
      },
    });
    assert.deepEqual(
      changed_decisions.map(({ decision_id, before: was, after, provider_after }) => [
        ids.indexOf(decision_id),
        was,
        after,
        provider_after,
      ]),
      [
        [5, "route", "block", null],
        [4, "route", "block", null],
        [3, "route", "route", "provider_2"],
        [2, "route", "route", "provider_2"],
        [1, "route", "step_up", "provider_1"],
      ],
    );
    assert.ok(changed_decisions[0]?.matched_rules.includes(rule({ type: "block" }).name));
    // The warnings concern an amount without a currency in the draft. They refuse nothing.
    assert.ok(warnings.every(({ path, severity }) => path.startsWith("policy.") && severity === "warning"));
    assert.ok(warnings.length >= 3);
  });

  it("SIM-8: counts every action before → after, and never counts a decision under review as the same provider", async () => {
    await publish(service, {
      workspaceId,
      merchantId: "held",
      key,
      rules: [{ name: "h", then: { type: "hold" }, when: { amount_gte: 300 } }],
    });
    const known = new Map<number, string>();
    for (const amount of [100, 200, 301, 401, 501]) known.set(amount, await decide("held", amount));
    for (const id of known.values()) await report(id, "approved");

    const { transitions, outcomes, by_action_after } = resultOf(
      await backtest({
        merchant_id: "held",
        limit: known.size,
        policy: {
          rules: [
            rule({ type: "block" }, { amount_gte: 500 }),
            rule({ type: "hold" }, { amount_gte: 200, amount_lt: 400 }),
          ],
        },
      }),
    );
    assert.deepEqual(transitions, [
      { before: "route", after: "route", count: 1 },
      { before: "route", after: "hold", count: 1 },
      { before: "hold", after: "route", count: 1 },
      { before: "hold", after: "hold", count: 1 },
      { before: "hold", after: "block", count: 1 },
    ]);
    assert.deepEqual(by_action_after, [
      { action: "route", count: 2 },
      { action: "hold", count: 2 },
      { action: "block", count: 1 },
    ]);
    assert.deepEqual(outcomes, {
      known: 5,
      not_known: 0,
      unchanged: { decisions: 1, approved: 1 },
      provider_changed: { decisions: 0, approved: 0 },
      would_be_blocked: { decisions: 1, approved: 1 },
      would_be_held: { decisions: 2, approved: 2 },
      no_longer_held: { decisions: 1, approved: 1 },
    });
  });

  it("SIM-7: streams x-ndjson: progress from 0 to the total, then the result as the last line", async () => {
    const reply = await backtest({});
    assert.equal(reply.headers.get("content-type"), "application/x-ndjson; charset=utf-8");
    assert.equal(reply.headers.get("cache-control"), "no-store");
    assert.match(reply.headers.get("x-request-id") ?? "", /^req_/);
    assert.deepEqual(linesOf(reply).slice(0, -1), [
      { type: "progress", replayed: 0, total: 6 },
      { type: "progress", replayed: 6, total: 6 },
    ]);
  });

  it("limit selects the newest decisions", async () => {
    const limited = await backtest({
      limit: 2,
      policy: { rules: [rule({ type: "block" }, { amount_gte: 600 })] },
    });
    const { replayed, changed } = resultOf(limited);
    assert.deepEqual([replayed, changed], [2, 1]);
    assert.deepEqual(linesOf(limited)[0], { type: "progress", replayed: 0, total: 2 });
  });

  it("days counts back from now; a decision without recorded health cannot be replayed", async () => {
    const writer = createDecisionWriter(service.pool, { nodeId: "history" });
    const rows = [40, 25, 3].map((days) =>
      withDocument(
        decisionRow(
          { workspaceId, merchantId: "old", mode: MODES.indexOf("test") },
          Date.now() - days * 86_400_000,
        ),
      ),
    );
    assert.equal(await writer.write(decisionsOnly(rows), 1), "written");
    const within = async (days?: number): Promise<number[]> => {
      const { replayed, not_replayable } = resultOf(
        await backtest({ merchant_id: "old", ...(days === undefined ? {} : { days }) }),
      );
      return [replayed, not_replayable];
    };
    assert.deepEqual(await within(1), [0, 0]);
    assert.deepEqual(await within(4), [0, 1]);
    assert.deepEqual(await within(30), [0, 2]);
    assert.deepEqual(await within(), [0, 2]);
  });

  it("sees one's own writes, and works for a merchant without any", async () => {
    for (let round = 1; round <= 3; round++) {
      await decide("many", 100);
      assert.equal(resultOf(await backtest({ merchant_id: "many" })).replayed, round);
    }
    const none = resultOf(await backtest({ merchant_id: "empty" }));
    assert.deepEqual([none.replayed, none.transitions, none.changed_decisions], [0, [], []]);
  });

  it("uses the health and settings that each decision saw, not the current ones, and ignores the old policy", async () => {
    await freezeHealth(service, { "provider_1:USD": { score: 0, state: "unavailable" } });
    await decide("seen", 100);
    await freezeHealth(service, {});
    await decide("seen", 100);
    await publish(service, {
      workspaceId,
      merchantId: "seen",
      key,
      rules: [{ name: "h", then: { type: "hold" } }],
    });
    const { by_action_before, by_action_after, changed_decisions, outcomes } = resultOf(
      await backtest({ merchant_id: "seen" }),
    );
    // The publish makes decisions until one is a hold.
    assert.ok(by_action_before.some(({ action }) => action === "hold"));
    assert.deepEqual(
      by_action_after.map(({ action }) => action),
      ["route"],
    );
    assert.ok(changed_decisions.every(({ before: was, after }) => was === "hold" && after === "route"));
    assert.ok(changed_decisions.every((row) => row.provider_before === row.provider_after));
    assert.equal(outcomes.known, 0);
  });

  it("reports how many decisions cannot be replayed, and leaves them out of all counts", async () => {
    const earlier = resultOf(await backtest({ merchant_id: "seen" }));
    await service.pool.query("create table kept as table health_views");
    await service.pool.query("delete from health_views");
    const without = resultOf(await backtest({ merchant_id: "seen" }));
    assert.equal(without.replayed, 0);
    assert.equal(without.not_replayable, earlier.replayed);
    assert.deepEqual(without.transitions, []);
    await service.pool.query("insert into health_views table kept");
    assert.deepEqual(resultOf(await backtest({ merchant_id: "seen" })), earlier);
  });

  it("replays every decision once over several pages", async () => {
    const bodies = Array.from({ length: 2300 }, (_, i) =>
      decisionBody({
        merchant_id: "many",
        transaction: { ...(decisionBody()["transaction"] as object), amount: i + 1 },
      }),
    );
    for (let at = 0; at < bodies.length; at += 100) {
      const replies = await Promise.all(
        bodies.slice(at, at + 100).map((body) => send(service, "POST", "/v1/decision", { body, key })),
      );
      assert.ok(replies.every(({ status }) => status === 200));
    }
    const policy = { rules: [rule({ type: "block" }, { amount_lte: 1150 })] };
    const lines = linesOf(await backtest({ merchant_id: "many", policy }));
    assert.deepEqual(
      lines.flatMap((line) => (line.type === "progress" ? [line.replayed] : [])),
      [0, 1000, 2000, 2303],
    );
    const result = lines.at(-1) as Result;
    assert.deepEqual(result.by_action_after, [
      { action: "route", count: 1150 },
      { action: "block", count: 1153 },
    ]);
    assert.equal(result.changed_decisions.length, 100);
    assert.equal(result.changed, 1153);
  });
});

const NOT_READABLE = "Decisions cannot be read right now";
const NO_PLACE = "Too many backtests are waiting";

describe("backtest: off the decision path", () => {
  /** The last test stops this service. */
  let own: RunningService;
  before(async () => {
    own = await startTestService({ DECISION_WORKERS: "1" });
  });

  it(
    "OPS-13, SIM-10: workspaces take turns, and only one with too many waiting gets 503",
    ONE_NODE,
    async () => {
      const other = await createWorkspace(service, { merchants: ["shop"] });
      const otherKey = await createKey(service.pool, other);
      const lock = await service.pool.connect();
      const refusals: unknown[] = [];
      const leaving = new AbortController();
      /** Resolves at the first line of the stream, or at the refusal. */
      const ask = async (as: string, signal?: AbortSignal): Promise<Response> => {
        const reply = await fetch(`${service.url}/v1/policies/backtest`, {
          method: "POST",
          headers: { "x-api-key": as, "content-type": "application/json" },
          body: JSON.stringify({ merchant_id: "shop", policy: { rules: [] } }),
          ...(signal === undefined ? {} : { signal }),
        });
        if (reply.status === 200) return reply;
        const problem = (await reply.json()) as { message: string };
        // On a busy host the decisions may be stored late. That gives a different 503, which is repeated.
        if (problem.message === NOT_READABLE) return ask(as, signal);
        refusals.push(problem);
        return reply;
      };
      const tooMany = 2;
      const refused = { statusCode: 503, message: NO_PLACE, error: "Service Unavailable" };
      try {
        // A backtest waits for its first page while another connection locks the table. All decisions are written
        // before that.
        assert.equal((await sendRead(service, "GET", "/v1/decisions", { key })).status, 200);
        await lock.query("begin; lock table only decisions in access exclusive mode");
        const noisy = Array.from({ length: 1 + WORKSPACE_WAITING_MAX + tooMany }, () =>
          ask(key, leaving.signal).catch(() => null),
        );
        await eventually(async () => assert.deepEqual(refusals, [refused, refused]));
        await eventually(async () => assert.equal((await backtestPids()).length, 1));
        const [abandoned] = await backtestPids();

        // A backtest of another workspace gets a place, and its stream says that it waits.
        const quiet = await ask(otherKey);
        assert.equal(quiet.status, 200);
        const line = (await quiet.body?.getReader().read())?.value as Uint8Array;
        assert.match(new TextDecoder().decode(line), /^{"type":"progress","replayed":0,"total":0}\n/);

        // A client that disconnects gives up its places. The backtest ends at once, although its query still waits.
        leaving.abort();
        await Promise.all(noisy);
        await eventually(async () => assert.equal((await ask(key)).status, 200));
        // The next one reads, so the abandoned one no longer has the thread.
        await eventually(async () => assert.ok((await backtestPids()).some((pid) => pid !== abandoned)));
        refusals.length = 0;
        const waiting = await Promise.all([ask(key), ask(key), ask(otherKey)]);
        // Decisions do not wait for backtests.
        await decide("shop_b", 100);
        await lock.query("rollback");
        const ended: number[] = [];
        const reading = waiting.map(async (reply, at) => {
          // On a starved host a backtest may break off. The test only checks that each had its turn.
          assert.match(await reply.text(), /"type":"result"|The backtest could not be finished/);
          ended.push(at);
        });
        await Promise.all(reading);
        assert.notEqual(ended.at(-1), 2, "the other workspace's was not the last");
        assert.deepEqual(refusals, []);
      } finally {
        await lock.query("rollback");
        lock.release();
      }
      await eventually(async () => assert.deepEqual(await backtestPids(), []));
    },
  );

  it(
    "OPS-13: beside a workspace that repeats requests over an empty log, no other workspace gets 503",
    ONE_NODE,
    async () => {
      const other = await createWorkspace(service, { merchants: ["shop"] });
      const otherKey = await createKey(service.pool, other);
      let isOver = false;
      const loops = Array.from({ length: 3 }, async () => {
        while (!isOver) await backtest({ merchant_id: "empty" });
      });
      const answers: unknown[] = [];
      for (let round = 0; round < 6; round++) {
        const { status, json } = await backtest({}, otherKey);
        answers.push(status === 200 ? "answered" : json["message"]);
      }
      isOver = true;
      await Promise.all(loops);
      // On a busy host the decisions may be stored late. The answer is then NOT_READABLE, and has nothing to do with
      // the queue.
      assert.deepEqual(
        answers.filter((one) => one !== "answered" && one !== NOT_READABLE),
        [],
      );
    },
  );

  it("sends 503 before any line of the stream while PostgreSQL cannot be read", async () => {
    await own.pool.query("alter table decisions rename to elsewhere");
    const reply = await send(own, "POST", "/v1/policies/backtest", {
      body: { merchant_id: "demo_merchant", policy: { rules: [] } },
    });
    assert.equal(reply.status, 503);
    assert.equal(reply.json["message"], "Decisions cannot be read right now");
    await own.pool.query("alter table elsewhere rename to decisions");
  });

  it(
    "SIGTERM ends one that does not come to its end, and the process exits 0 in its time",
    ONE_NODE,
    async () => {
      for (let i = 0; i < 3; i++) {
        assert.equal((await send(own, "POST", "/v1/decision", { body: decisionBody() })).status, 200);
      }
      // After this read everything is written, so the writer does not need the table that is locked next.
      assert.equal((await sendRead(own, "GET", "/v1/decisions")).json["total"], 3);
      const lock = await own.pool.connect();
      try {
        await lock.query("begin; lock table health_views in access exclusive mode");
        const reply = await fetch(`${own.url}/v1/policies/backtest`, {
          method: "POST",
          headers: { "x-api-key": own.key, "content-type": "application/json" },
          body: JSON.stringify({ merchant_id: "demo_merchant", policy: { rules: [] } }),
        });
        const reader = reply.body?.getReader();
        const first = new TextDecoder().decode((await reader?.read())?.value as Uint8Array);
        assert.match(first, /^\{"type":"progress","replayed":0,"total":3\}\n/);
        assert.equal(await own.stop(), 0);
        // The stream breaks off, so that no client mistakes a part for the whole.
        await assert.rejects(async () => {
          while (!(await reader?.read())?.done);
        });
        // uWebSockets.js would log a warning here for each write that it considers wrong.
        assert.doesNotMatch(own.log(), /uWS/);
      } finally {
        await lock.query("rollback");
        lock.release();
      }
    },
  );
});

describe("SIM-7: the refusals of a backtest", () => {
  for (const [name, changes, issue] of [
    ["no draft", { policy: undefined }, "policy invalid_type"],
    ["31 days", { days: 31 }, "days too_big"],
    ["no day", { days: 0 }, "days too_small"],
    ["more than 100000 decisions", { limit: 100_001 }, "limit too_big"],
    ["an unknown field", { mode: "live" }, "mode unrecognized_keys"],
  ] as const) {
    it(`${name}: 400 validation_error`, async () => {
      const { status, json } = await backtest(changes);
      assert.equal(status, 400);
      assert.equal(json["error"], "validation_error");
      const [first] = json["issues"] as { path: string; code: string }[];
      assert.equal(`${first?.path} ${first?.code}`, issue);
    });
  }

  it("an invalid draft: 400 policy_validation_failed", async () => {
    const { status, json } = await backtest({ policy: { rules: [{}] } });
    assert.equal(status, 400);
    assert.equal(json["error"], "policy_validation_failed");
  });

  it("403 for a merchant other than the key's, for one outside the workspace, and without the scope", async () => {
    const scoped = await createKey(service.pool, workspaceId, { merchantId: "shop_b" });
    const writer = await createKey(service.pool, workspaceId, { scopes: ["policy:write"] });
    assert.equal((await backtest({}, scoped)).status, 403);
    assert.equal((await backtest({}, writer)).status, 403);
    assert.equal((await backtest({ merchant_id: "nobody" })).status, 403);
    assert.equal((await backtest({ merchant_id: "shop_b" }, scoped)).status, 200);
  });
});
