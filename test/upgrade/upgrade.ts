import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { idFromHex } from "../../src/domain/ids/ids.js";
import { closeLater } from "../support/closing.js";
import { assertNothingLost, assertRepliesSurvive } from "../support/load/acknowledged.js";
import { startDecisionLoad } from "../support/load/decision-load.js";
import { assertLedgerKept } from "../support/load/ledger-check.js";
import type { MerchantLoad } from "../support/load/merchant-load.js";
import { createEmptyDatabase } from "../support/postgres/postgres.js";
import { holdJournalBack } from "../support/service/held-journal.js";
import { START_ARGUMENTS } from "../support/service/main.js";
import { startNode, type RunningService } from "../support/service/node.js";
import { untilPasses } from "../support/waiting/eventually.js";
import {
  assertMigrationsFollow,
  buildLanded,
  landedCommit,
  NotJudgedError,
  type LandedBuild,
} from "./landed-build.js";
import {
  ask,
  assertServed,
  createKey,
  decide,
  openScene,
  publishBlock,
  reportApproved,
  startTraffic,
  type UpgradeScene,
} from "./upgrade-scene.js";

/**
 * `npm run test:upgrade`: two nodes of the build that landed before are replaced by this build, one after the other and
 * under traffic, as docs/deployment.md says. `--from <commit>` upgrades from another commit. Exit codes: 0 if all is
 * well, 1 if not, and 2 if the builds cannot be compared. The output then says why.
 */
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const NOT_JUDGED = 2;

const { values } = parseArgs({ options: { from: { type: "string" } } });

function prepare(): LandedBuild {
  try {
    const commit = landedCommit(ROOT, values.from);
    assertMigrationsFollow(ROOT, commit);
    process.stderr.write(`upgrading from ${commit.slice(0, 8)}\n`);
    return buildLanded(ROOT, commit);
  } catch (error) {
    if (!(error instanceof NotJudgedError)) throw error;
    process.stderr.write(`not judged: ${error.message}\n`);
    process.exit(NOT_JUDGED);
  }
}

const landed = prepare();
closeLater(landed.remove);
const OLD = ["--single-threaded-gc", landed.main];
const NEW = START_ARGUMENTS;

let first: RunningService;
let second: RunningService;
let scene: UpgradeScene;
let traffic: [MerchantLoad, MerchantLoad];

before(async () => {
  const { url } = await createEmptyDatabase();
  const env = {
    DATABASE_URL: url,
    DEMO: "0",
    REGISTRATION: "open",
    RATE_LIMIT_PER_MINUTE: "0",
    DECISION_WORKERS: "1",
  };
  first = await startNode(env, OLD);
  second = await startNode(env, OLD);
  scene = await openScene(first);
  await publishBlock(first, scene.key, 5_000_000);
  for (const node of [first, second]) await untilBlockedFrom(node, 5_000_000);
  traffic = [startTraffic(first, scene), startTraffic(second, scene)];
  for (const load of traffic) await untilServed(load);
});

/** Waits until the load has a new acknowledgement of each kind. */
async function untilServed({ ledger }: MerchantLoad): Promise<void> {
  const known = [ledger.keyed, ledger.outcomes, ledger.reviews].map((kind) => [kind, kind.size] as const);
  await untilPasses(async () => assert.ok(known.every(([kind, size]) => kind.size > size)));
}

const untilBlockedFrom = (node: RunningService, amount: number): Promise<void> =>
  untilPasses(async () => {
    assert.equal((await decide(node, scene.key, amount)).action, "block");
    assert.notEqual((await decide(node, scene.key, amount - 1)).action, "block");
  });

describe("an upgrade from the build that landed before", () => {
  it("SVC-19: a node of the new build takes the place of an old one under traffic, beside another old one", async () => {
    const keyed = new Map(traffic[0].ledger.keyed);
    assert.equal(await first.stop(), 0, first.log());
    await first.start(NEW);
    await assertRepliesSurvive({ url: first.url, key: scene.key }, { keyed });
    for (const load of traffic) await untilServed(load);
    assertServed(traffic[0], true);
    assertServed(traffic[1], false);
  });

  it("SVC-19: keys, sessions, policies and decisions of each build hold on the other", async () => {
    const { token, key } = scene;
    const pairs = [
      { from: first, to: second, blockedFrom: 4_000_000 },
      { from: second, to: first, blockedFrom: 3_000_000 },
    ];
    await untilBlockedFrom(first, 5_000_000);
    for (const { from, to, blockedFrom } of pairs) {
      assert.equal((await ask(to, "GET", "/v1/auth/me", { token })).status, 200);
      await publishBlock(from, key, blockedFrom);
      await untilBlockedFrom(to, blockedFrom);
      const made = await createKey(from, token);
      await untilPasses(() => decide(to, made, 1000));
      const { decision_id: decisionId } = await decide(from, key, 1000);
      await reportApproved(to, key, decisionId, "order_1");
      await untilPasses(async () => {
        const path = `/v1/decisions/${decisionId}?mode=test`;
        const { status, json } = await ask(to, "GET", path, { token });
        assert.equal(status, 200);
        assert.equal((json["outcome"] as { outcome: string } | null)?.outcome, "approved");
      });
    }
  });

  it("DUR-29: the new build stores what a killed node of the old build left in its journal", async () => {
    const { key } = scene;
    await traffic[1].finish();
    assertServed(traffic[1], false);
    const hold = await holdJournalBack(second);
    const load = startDecisionLoad({ url: second.url, key, ratePerSecond: 60 });
    await untilPasses(async () => assert.ok(load.acknowledged.size > 50 && load.keyed.size > 10));
    const reported = [...load.acknowledged].slice(0, 10);
    for (const [decisionId, orderId] of reported) await reportApproved(second, key, decisionId, orderId);
    await second.stop("SIGKILL");
    await load.stop();
    await hold.forgetSent();
    const stored = await second.pool.query("select from decisions where starts_with(order_id, $1)", [
      load.prefix,
    ]);
    assert.equal(stored.rowCount, 0, "the journal alone has them");
    await hold.letGo();
    await second.start(NEW);
    await assertNothingLost(second.pool, [load]);
    await assertRepliesSurvive({ url: second.url, key }, load);
    await untilPasses(async () => {
      const { rows } = await second.pool.query<{ decision_id: string }>(
        "select decision_id from outcomes where starts_with(order_id, $1) order by decision_id",
        [load.prefix],
      );
      const ids = rows.map(({ decision_id }) => idFromHex("dec", decision_id));
      assert.deepEqual(ids.toSorted(), reported.map(([decisionId]) => decisionId).toSorted());
    });
  });

  it("SVC-19: nothing acknowledged on either build is lost, and nodes go back to the build before", async (t) => {
    await untilServed(traffic[0]);
    await traffic[0].finish();
    assertServed(traffic[0], true);
    for (const { ledger } of traffic) await assertLedgerKept(first.pool, ledger);
    assert.equal(await first.stop(), 0, first.log());
    await first.start(OLD);
    await untilBlockedFrom(first, 3_000_000);
    assert.equal((await ask(first, "GET", "/v1/decisions?mode=test", { token: scene.token })).status, 200);
    const counts = traffic.map(
      ({ ledger }) => `${ledger.acknowledged.size} decisions, ${ledger.outcomes.size} outcomes`,
    );
    t.diagnostic(`acknowledged and stored once: ${counts.join("; ")}`);
  });
});
