import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { before, describe, it } from "node:test";
import { idToHex } from "../../src/domain/ids/ids.js";
import { ownFile } from "../../src/platform/node/own-files.js";
import { bearer, newEmail, PASSWORD } from "../support/people/accounts.js";
import { closeLater } from "../support/closing.js";
import { startCells, type AtEdge, type Cells } from "../support/edge/cells.js";
import { edgeSkip } from "../support/edge/edge-proxy.js";
import { NO_VALKEY } from "../support/edge/valkey.js";
import { decisionBody, eventually } from "../support/service/service.js";

const skip = edgeSkip === false ? NO_VALKEY : edgeSkip;

let cells: Cells;
before(async () => {
  if (skip !== false) return;
  cells = await startCells({
    AUTH_RATE_LIMIT_PER_MINUTE: "0",
    RATE_LIMIT_PER_MINUTE: "0",
    REGISTRATION: "open",
  });
});

interface Command {
  child: ChildProcess;
  output(): string;
  /** Resolves to the exit code, or to the name of the signal. */
  ended: Promise<number | NodeJS.Signals | null>;
}

function move(
  workspaceId: string,
  more: readonly string[] = [],
  env: Record<string, string> = {},
  to = "b",
): Command {
  const words = ["move-workspace", workspaceId, "--to", to, "--edge", cells.controlSocket, ...more];
  const child = spawn(process.execPath, [ownFile("service/payinference.js"), ...words], {
    env: { PATH: process.env["PATH"], ...cells.commandEnvironment, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  closeLater(() => child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, "exit").then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  return { child, output: () => output, ended };
}

/** Runs a command and kills it once it has printed the text. */
async function killedAt(workspaceId: string, text: string): Promise<void> {
  const command = move(workspaceId);
  await eventually(() => {
    assert.ok(command.output().includes(text), command.output());
    return Promise.resolve();
  });
  command.child.kill("SIGKILL");
  assert.equal(await command.ended, "SIGKILL", command.output());
}

/** Sends SIGINT to a command while it copies. A fold under way keeps it waiting, so the signal comes in time. */
async function interrupted(workspaceId: string): Promise<void> {
  const fold = await cells.a.pool.connect();
  await fold.query("begin; select pg_advisory_xact_lock(hashtextextended('fold_rollups', 0))");
  const command = move(workspaceId);
  await eventually(() => {
    assert.ok(command.output().includes("copying"), command.output());
    return Promise.resolve();
  });
  command.child.kill("SIGINT");
  // The command looks at the signal once the fold is over.
  await fold.query("commit");
  fold.release();
  assert.equal(await command.ended, 1, command.output());
  assert.match(command.output(), /SIGINT: everything is as before/);
}

/** Runs a command while the test holds the lock that another command would hold. */
async function runSecond(workspaceId: string): Promise<void> {
  const first = await cells.a.pool.connect();
  const lock = "(hashtextextended('move_workspace ' || $1, 0))";
  await first.query(`select pg_advisory_lock${lock}`, [idToHex(workspaceId)]);
  const second = move(workspaceId);
  assert.equal(await second.ended, 1, second.output());
  assert.match(second.output(), /another command moves this workspace/);
  await first.query(`select pg_advisory_unlock${lock}`, [idToHex(workspaceId)]);
  first.release();
}

interface Shop {
  token: string;
  workspaceId: string;
  key: string;
}

const at = (method: string, path: string, request: AtEdge = {}) => cells.send(method, path, request);

async function openShop(): Promise<Shop> {
  const { json } = await at("POST", "/v1/auth/register", {
    body: { email: newEmail(), password: PASSWORD, workspace_name: "Shop", merchant_id: "demo_merchant" },
  });
  const { token } = json["session"] as { token: string };
  const made = await at("POST", "/v1/api-keys", {
    body: {
      name: "k",
      mode: "live",
      scopes: ["decision:write", "outcome:write", "policy:read", "policy:write"],
    },
    headers: bearer(token),
  });
  return { token, workspaceId: (json["workspace"] as { id: string }).id, key: String(made.json["secret"]) };
}

interface Acknowledged {
  decisionId: string;
  outcome: string;
  idempotencyKey: string | null;
}

/** A client makes this many more decisions before it reports on an earlier one again. */
const REPORTED_LATER = 25;

/** Clients that decide and report without a pause. Each answer must be a 200. */
function startLoad(shop: Shop, clients: number) {
  const acknowledged: Acknowledged[] = [];
  const refused: string[] = [];
  const headers = { "x-api-key": shop.key };
  let isOver = false;
  const report = async (decisionId: string, orderId: string, outcome: string): Promise<boolean> => {
    const reply = await at("POST", "/v1/outcomes", {
      headers,
      body: {
        decision_id: decisionId,
        order_id: orderId,
        outcome,
        provider_used: "provider_1",
        provider_latency_ms: 100,
        amount: 129_900,
        currency: "USD",
      },
    });
    if (reply.status !== 200) refused.push(`outcome ${reply.status} ${reply.body}`);
    return reply.status === 200;
  };
  const ask = (orderId: string, idempotencyKey: string | null) =>
    at("POST", "/v1/decision", {
      body: decisionBody({ order_id: orderId }),
      headers: { ...headers, ...(idempotencyKey !== null && { "idempotency-key": idempotencyKey }) },
    });
  const client = async (number: number): Promise<void> => {
    const mine: { decisionId: string; orderId: string; made: Acknowledged }[] = [];
    for (let turn = 0; !isOver; turn++) {
      const orderId = `order_${number}_${turn}`;
      const idempotencyKey = turn % 2 === 0 ? `key ${orderId}` : null;
      const reply = await ask(orderId, idempotencyKey);
      if (reply.status !== 200) {
        refused.push(`decision ${reply.status} ${reply.body}`);
        continue;
      }
      const decisionId = String(reply.json["decision_id"]);
      if (idempotencyKey !== null) {
        const again = await ask(orderId, idempotencyKey);
        if (again.json["decision_id"] !== decisionId) refused.push(`decided twice: ${again.status}`);
      }
      const made: Acknowledged = { decisionId, outcome: "approved", idempotencyKey };
      if (!(await report(decisionId, orderId, "approved"))) continue;
      acknowledged.push(made);
      mine.push({ decisionId, orderId, made });
      // In every third turn an earlier decision is reported on again. By then the workspace may be in the other cell.
      const before = mine.length > REPORTED_LATER ? mine.shift() : undefined;
      if (before === undefined || turn % 3 !== 0) continue;
      if (await report(before.decisionId, before.orderId, "soft_declined"))
        before.made.outcome = "soft_declined";
    }
  };
  const running = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return {
    acknowledged,
    refused,
    async end() {
      isOver = true;
      await running;
    },
  };
}

/** A person who reads and changes without a pause. Every answer must be 200, 201 or 503. */
function startPerson(shop: Shop) {
  const headers = bearer(shop.token);
  const merchants: string[] = [];
  const unexpected: string[] = [];
  const refusals = { read: 0, change: 0 };
  let least = 0;
  let isOver = false;
  const read = async (): Promise<void> => {
    while (!isOver) {
      const before = least;
      const reply = await at("GET", "/v1/decisions/aggregate", { headers });
      if (reply.status === 503) {
        refusals.read++;
        // The service answers this while the workspace moves to the other cell.
        if (
          reply.json["message"] === "The workspace is being moved" &&
          reply.headers.get("retry-after")?.[0] !== "2"
        )
          unexpected.push("no Retry-After");
      } else if (reply.status !== 200) unexpected.push(`read ${reply.status} ${reply.body}`);
      else if (Number(reply.json["total"]) < before) unexpected.push(`fewer than ${before} decisions`);
      else least = Number(reply.json["total"]);
    }
  };
  const change = async (): Promise<void> => {
    for (let turn = 0; !isOver; turn++) {
      const merchantId = `shop_${turn}`;
      const reply = await at("POST", "/v1/admin/merchants", { headers, body: { merchant_id: merchantId } });
      if (reply.status === 503) refusals.change++;
      else if (reply.status !== 201) unexpected.push(`change ${reply.status} ${reply.body}`);
      else merchants.push(merchantId);
    }
  };
  const running = Promise.all([read(), change()]);
  return {
    merchants,
    unexpected,
    refusals,
    async end() {
      isOver = true;
      await running;
    },
  };
}

const decisionOf = async (shop: Shop, path: string): Promise<[number, Record<string, unknown>]> => {
  const reply = await at("GET", path, { headers: bearer(shop.token) });
  return [reply.status, reply.json];
};

/** The decisions of the workspace that the cell has stored, each with its outcome. */
async function storedIn(cell: "a" | "b", { workspaceId }: Shop): Promise<Map<string, number | null>> {
  const { rows } = await cells[cell].pool.query<{ id: string; outcome: number | null }>(
    `select id_text('dec', decision_id) as id, o.outcome from decisions
     left join outcomes o using (workspace_id, mode, decision_id) where workspace_id = $1`,
    [idToHex(workspaceId)],
  );
  return new Map(rows.map(({ id, outcome }) => [id, outcome]));
}

const OUTCOME_AT: Readonly<Record<string, number>> = { approved: 0, soft_declined: 1 };

/** Asserts that cell b has every acknowledged decision and outcome once, and that its counts are exact. */
async function assertNothingLost(shop: Shop, acknowledged: readonly Acknowledged[]): Promise<void> {
  await eventually(async () => {
    const stored = await storedIn("b", shop);
    for (const { decisionId, outcome } of acknowledged)
      assert.equal(stored.get(decisionId), OUTCOME_AT[outcome], decisionId);
    assert.equal(stored.size, acknowledged.length);
    const waiting = await cells.b.pool.query("select from unmatched_outcomes where workspace_id = $1", [
      idToHex(shop.workspaceId),
    ]);
    assert.equal(waiting.rowCount, 0);
  });
  const approved = acknowledged.filter(({ outcome }) => outcome === "approved").length;
  const total = acknowledged.length;
  const [, aggregate] = await decisionOf(shop, "/v1/decisions/aggregate");
  const countsOf = ({ total: all, outcome_counts: counts }: Record<string, unknown>): unknown => [
    all,
    Object.fromEntries(
      (counts as { outcome: string; count: number }[]).map(({ outcome, count }) => [outcome, count]),
    ),
  ];
  const wanted = [total, { approved, soft_declined: total - approved }];
  assert.deepEqual(countsOf(aggregate), wanted);
  // Facets are counted separately, and must give the same figures.
  const [, summary] = await decisionOf(shop, "/v1/analytics/summary?currency=USD&country=US");
  assert.deepEqual(countsOf(summary), wanted);
  // This decision was made in the old cell. Its replay needs its document and the health that it saw.
  const decisionId = acknowledged[0]?.decisionId;
  const [status, detail] = await decisionOf(shop, `/v1/decisions/${decisionId}`);
  assert.equal(status, 200, JSON.stringify(detail));
  const replayed = await at("POST", `/v1/decisions/${decisionId}/replay`, {
    headers: bearer(shop.token),
    body: {},
  });
  assert.equal(replayed.status, 200, replayed.body);
}

describe("a workspace moves between cells under load", { skip }, () => {
  it("CELL-7, CELL-8, CELL-9, CELL-10, CELL-11, CELL-14: decisions go on, and nothing is lost or doubled", async () => {
    const shop = await openShop();
    const policy = await at("POST", "/v1/policies", {
      headers: bearer(shop.token),
      body: {
        merchant_id: "demo_merchant",
        name: "Hold",
        publish: true,
        rules: [
          {
            name: "h",
            priority: 1,
            when: { currency_in: ["USD"], amount_gte: 1 },
            then: { type: "step_up" },
          },
        ],
      },
    });
    assert.equal(policy.status, 200, policy.body);
    const [load, person] = [startLoad(shop, 4), startPerson(shop)];
    await eventually(async () => assert.ok(load.acknowledged.length > 40));
    const first = load.acknowledged.find(({ idempotencyKey }) => idempotencyKey !== null) as Acknowledged;
    const command = move(shop.workspaceId);
    assert.equal(await command.ended, 0, command.output());
    const movedAt = load.acknowledged.length;
    await eventually(async () => assert.ok(load.acknowledged.length > movedAt + 40));
    await Promise.all([load.end(), person.end()]);
    assert.deepEqual([load.refused, person.unexpected], [[], []]);
    assert.ok(person.refusals.change > 0 && person.refusals.read > 0, "the standstill was met");
    const kept = await cells.b.pool.query<{ id: string }>(
      "select merchant_id as id from merchants where workspace_id = $1 and merchant_id like 'shop_%'",
      [idToHex(shop.workspaceId)],
    );
    assert.deepEqual(kept.rows.map(({ id }) => id).toSorted(), person.merchants.toSorted());
    await assertNothingLost(shop, load.acknowledged);
    const [here, there] = [await storedIn("b", shop), await storedIn("a", shop)];
    assert.ok(
      there.size > 40 && here.size > there.size,
      `${there.size} of ${here.size} were decided in cell a`,
    );

    // The session and the key still work, although they name cell a.
    assert.equal((await decisionOf(shop, "/v1/auth/me"))[0], 200);
    const again = await at("POST", "/v1/decision", {
      body: decisionBody({ order_id: "order_0_0" }),
      headers: { "x-api-key": shop.key, "idempotency-key": String(first.idempotencyKey) },
    });
    assert.equal(again.json["decision_id"], first.decisionId);
    assert.equal(again.headers.get("idempotency-replayed")?.[0], "true");
    const decided = await at("POST", "/v1/decision", {
      body: decisionBody(),
      headers: { "x-api-key": shop.key },
    });
    assert.equal(decided.json["action"], "step_up");

    // Cell a itself refuses the key from now on.
    const direct = await fetch(`${cells.a.url}/v1/decision`, {
      method: "POST",
      headers: { "x-api-key": shop.key, "content-type": "application/json" },
      body: JSON.stringify(decisionBody()),
    });
    assert.equal(direct.status, 403);
    // Later changes are made in cell b, and a new key names cell b.
    const made = await at("POST", "/v1/api-keys", {
      body: { name: "k", mode: "live", scopes: ["decision:write"] },
      headers: bearer(shop.token),
    });
    assert.match(String(made.json["secret"]), /^pi_live_b_/);
    const second = move(shop.workspaceId);
    assert.equal(await second.ended, 0, second.output());
  });

  it("CELL-12: a command that is killed before and after the switch is started again, and nothing is lost or doubled", async () => {
    const shop = await openShop();
    const load = startLoad(shop, 3);
    await eventually(async () => assert.ok(load.acknowledged.length > 20));
    const isMoving = async (): Promise<boolean> => {
      const moves = await cells.a.pool.query("select from workspace_moves where workspace_id = $1", [
        idToHex(shop.workspaceId),
      ]);
      return moves.rowCount !== 0;
    };
    await runSecond(shop.workspaceId);
    await interrupted(shop.workspaceId);
    assert.equal(await isMoving(), false);
    await killedAt(shop.workspaceId, "copying");
    const givenUp = move(shop.workspaceId, ["--give-up"]);
    assert.equal(await givenUp.ended, 0, givenUp.output());
    assert.equal(await isMoving(), false);
    await killedAt(shop.workspaceId, "copying");
    await killedAt(shop.workspaceId, "standing still");
    await killedAt(shop.workspaceId, "switched");
    const last = move(shop.workspaceId);
    assert.equal(await last.ended, 0, last.output());
    await load.end();
    assert.deepEqual(load.refused, []);
    await assertNothingLost(shop, load.acknowledged);
  });

  it("CELL-13: what cannot be moved is refused with the reason, and nothing changes", async () => {
    const shop = await openShop();
    const refused = async (reason: RegExp, env: Record<string, string> = {}, id = shop.workspaceId) => {
      const command = move(id, [], env);
      assert.equal(await command.ended, 1);
      assert.match(command.output(), reason);
    };
    await refused(/no such workspace/, {}, "ws_00000000000000000000000001");
    await refused(/ANALYTICS_URL/, { ANALYTICS_URL: "http://127.0.0.1:1/log" });
    await refused(/cell b itself/, { CELL: "b" });
    const elsewhere = move(shop.workspaceId, [], {}, "c");
    assert.equal(await elsewhere.ended, 1);
    assert.match(elsewhere.output(), /knows no cell c/);
    await cells.b.pool.query(
      `insert into users (user_id, email, password_hash)
       select gen_random_uuid(), email, 'x' from json_to_recordset($1) as u (email text)`,
      [
        JSON.stringify(
          (
            await cells.a.pool.query(
              "select upper(email) as email from users where user_id in (select user_id from memberships where workspace_id = $1)",
              [idToHex(shop.workspaceId)],
            )
          ).rows,
        ),
      ],
    );
    await refused(/1 members have another account/);
    const moves = await cells.a.pool.query("select from workspace_moves where workspace_id = $1", [
      idToHex(shop.workspaceId),
    ]);
    assert.equal(moves.rowCount, 0);
    assert.equal((await decisionOf(shop, "/v1/auth/me"))[0], 200);
  });
});
