import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  createDecisionContexts,
  toDecisionContext,
  type ContextBounds,
  type DecisionContexts,
  type MerchantContext,
} from "../../../../src/path/decide/context/decision-contexts.js";
import { contentNameOf } from "../../../../src/path/replica/policy-contents.js";
import { policyContent } from "../../../../src/domain/policy/policy-content.js";
import type { Policy } from "../../../../src/domain/policy/policy.js";
import type { MerchantPrices } from "../../../../src/domain/pricing/merchant-pricing.js";
import {
  amountsKey,
  merchantKey,
  openReplica,
  policyContentKey,
  pricesKey,
  workspaceKey,
  type CatalogEntry,
  type Replica,
} from "../../../../src/path/replica/replica.js";
import { closeLater } from "../../../support/closing.js";
import { newId } from "../../../support/rows/decision-rows.js";
import { temporaryDir } from "../../../support/postgres/postgres.js";
import { putPolicy } from "../../../support/rows/replica-policies.js";
import { rules } from "../../../support/people/tenants.js";
import { facts } from "../../domain/policy/facts.js";

const OURS = newId("ws");
const THEIRS = newId("ws");

/** Two workspaces, and a reader that counts its reads. */
async function createScene(bounds?: ContextBounds) {
  const replica = openReplica(await temporaryDir());
  closeLater(() => replica.close());
  replica.putCatalog([workspace(OURS), workspace(THEIRS)]);
  const read: string[] = [];
  const contexts = createDecisionContexts(
    {
      ...replica,
      read: (key) => {
        read.push(key);
        return replica.read(key);
      },
    },
    90,
    bounds,
  );
  return {
    replica,
    contexts,
    /** The reads since the last call, by kind. */
    reads: () => read.splice(0).map((key) => key.slice(0, key.indexOf("/"))),
  };
}

const workspace = (id: string, threshold: number | null = 90): CatalogEntry => ({
  key: workspaceKey(id),
  value: {
    status: "active",
    default_decision_mode: null,
    risk_block_threshold: threshold,
    retention_days: null,
  },
});
const unruled = (merchantId: string, prices: string | null = null): CatalogEntry => ({
  key: merchantKey(OURS, merchantId),
  value: { policy: null, prices },
});

/** A policy that holds amounts from `fromMinor` on. */
const holding = (fromMinor: number, changes: Partial<Policy> = {}): Policy => ({
  policy_id: newId("pol"),
  name: "Holding",
  status: "published",
  version: "v1",
  default_provider: null,
  rules: rules([{ name: "large", when: { amount_gte: fromMinor }, then: { type: "hold" } }]),
  updated_at: "2026-11-20T12:00:00.000Z",
  ...changes,
});

/** The merchant as the next batch finds it. */
function next(contexts: DecisionContexts, merchantId: string, workspaceId = OURS): MerchantContext {
  contexts.refresh();
  return ofOneThatCameBack(() => contexts.merchant(workspaceId, "test", merchantId));
}

/** The cache does not keep an entry that is asked for only once, so this asks repeatedly. */
function ofOneThatCameBack(ask: () => MerchantContext | null): MerchantContext {
  ask();
  ask();
  const merchant = ask();
  assert.ok(merchant);
  return merchant;
}

const holds = ({ policy }: MerchantContext, amount: number): boolean =>
  policy?.compiled.evaluate(facts({ amount })).hold ?? false;

describe("SVC-4: a decision is by the merchant's published policy", () => {
  it("one content serves all merchants that have it, each under its own policy's id and version", async () => {
    const { replica, contexts, reads } = await createScene();
    const [one, another] = [holding(100), holding(100, { version: "v7" })];
    putPolicy(replica, OURS, "one", one);
    putPolicy(replica, THEIRS, "another", another);
    putPolicy(replica, OURS, "own", holding(200));
    const first = next(contexts, "one").policy;
    reads();
    const second = contexts.merchant(THEIRS, "test", "another")?.policy;
    assert.deepEqual(reads(), ["merchant", "workspace", "amounts"], "the content is not read again");
    assert.equal(second?.compiled, first?.compiled);
    assert.deepEqual([first?.policyId, first?.version], [one.policy_id, "v1"]);
    assert.deepEqual([second?.policyId, second?.version], [another.policy_id, "v7"]);
    const own = next(contexts, "own");
    assert.notEqual(own.policy?.compiled, first?.compiled);
    assert.deepEqual([holds(own, 199), holds(own, 200)], [false, true]);
    assert.deepEqual([holds(next(contexts, "one"), 99), holds(next(contexts, "one"), 100)], [false, true]);
  });

  it("a policy that is replaced, archived or published again is followed; a merchant that is gone is unknown", async () => {
    const { replica, contexts } = await createScene();
    assert.equal(contexts.merchant(OURS, "test", "m"), null);
    putPolicy(replica, OURS, "m", holding(100));
    assert.equal(holds(next(contexts, "m"), 100), true);
    putPolicy(replica, OURS, "m", holding(500, { version: "v2" }));
    assert.equal(holds(next(contexts, "m"), 100), false);
    assert.equal(next(contexts, "m").policy?.version, "v2");
    replica.putCatalog([unruled("m")]);
    assert.equal(next(contexts, "m").policy, null);
    putPolicy(replica, OURS, "m", holding(100));
    assert.equal(holds(next(contexts, "m"), 100), true);
    replica.putCatalog([{ key: merchantKey(OURS, "m"), value: null }]);
    contexts.refresh();
    assert.equal(contexts.merchant(OURS, "test", "m"), null);
  });

  it("no decision is made for a merchant whose rules the replica lacks", async () => {
    const { replica, contexts } = await createScene();
    const policy = holding(100);
    putPolicy(replica, OURS, "m", policy);
    const content = policyContentKey(contentNameOf(policyContent(policy).text));
    replica.putText(content, null);
    assert.throws(() => next(contexts, "m"), /lacks the policy content/);
    replica.putText(content, policyContent(policy).text);
    assert.equal(holds(next(contexts, "m"), 100), true);
  });

  it("rule ids are those of the live policy, in evaluation order", async () => {
    const { replica, contexts } = await createScene();
    putPolicy(replica, OURS, "m", holding(100));
    contexts.refresh();
    assert.deepEqual(contexts.ruleIds(OURS, "m"), ["rule_0"]);
    assert.deepEqual(contexts.ruleIds(OURS, "another"), []);
  });
});

describe("contexts: the cost of a change depends on the changed entries", () => {
  it("a change to one merchant leaves the contexts of all others as they are, and nothing is read for them", async () => {
    const { replica, contexts, reads } = await createScene();
    for (const id of ["a", "b", "c"]) putPolicy(replica, OURS, id, holding(100));
    putPolicy(replica, THEIRS, "a", holding(100));
    const before = [next(contexts, "a"), next(contexts, "b"), next(contexts, "a", THEIRS)];
    putPolicy(replica, OURS, "c", holding(200));
    putPolicy(replica, OURS, "b", holding(200));
    contexts.refresh();
    reads();
    const [a, b, theirs] = before;
    assert.equal(next(contexts, "a"), a);
    assert.equal(next(contexts, "a", THEIRS), theirs);
    assert.deepEqual(reads(), []);
    assert.notEqual(contexts.merchant(OURS, "test", "b"), b);
    assert.deepEqual(reads(), ["merchant", "amounts", "policy"]);
  });

  it("a workspace's settings reach its merchants, and no others", async () => {
    const { replica, contexts } = await createScene();
    replica.putCatalog([unruled("m")]);
    putPolicy(replica, THEIRS, "m", holding(100));
    const [ours, theirs] = [next(contexts, "m"), next(contexts, "m", THEIRS)];
    assert.equal(ours.workspace.risk_block_threshold, 90);
    replica.putCatalog([workspace(OURS, 40)]);
    assert.equal(next(contexts, "m").workspace.risk_block_threshold, 40);
    assert.equal(next(contexts, "m", THEIRS), theirs);
    replica.putCatalog([{ key: workspaceKey(OURS), value: null }]);
    contexts.refresh();
    assert.equal(contexts.merchant(OURS, "test", "m"), null);
  });

  it("amounts change in their mode alone", async () => {
    const { replica, contexts } = await createScene();
    replica.putCatalog([unruled("a/b")]);
    contexts.refresh();
    const live = ofOneThatCameBack(() => contexts.merchant(OURS, "live", "a/b"));
    assert.deepEqual(next(contexts, "a/b").amounts, {});
    replica.putCatalog([{ key: amountsKey(OURS, "test", "a/b"), value: { USD: 5000 } }]);
    assert.deepEqual(next(contexts, "a/b").amounts, { USD: 5000 });
    assert.equal(contexts.merchant(OURS, "live", "a/b"), live);
  });

  it("prices are read once for both modes, again with another version, and not at all where there are none", async () => {
    const { replica, contexts, reads } = await createScene();
    const prices = (version: string, percentage_bps: number): CatalogEntry => {
      const value: MerchantPrices = {
        version,
        contracts: [],
        observed: [
          {
            provider: "provider_1",
            payment_method: "card",
            currency: "USD",
            country: null,
            percentage_bps,
            fixed_minor: 0,
            sample_count: 1000,
            source: "provider_webhook_observed",
          } as unknown as MerchantPrices["observed"][number],
        ],
      };
      return { key: pricesKey(OURS, "m"), value };
    };
    const versionOf = (merchant: MerchantContext | null): string | null | undefined =>
      merchant?.pricing?.viewAt(0).version;
    replica.putCatalog([unruled("m"), unruled("free")]);
    assert.equal(next(contexts, "free").pricing, null);
    assert.equal(reads().includes("prices"), false);
    replica.putCatalog([prices("1.0", 100), unruled("m", "1.0")]);
    const test = next(contexts, "m");
    assert.equal(versionOf(test), "1.0");
    assert.equal(reads().includes("prices"), true);
    assert.equal(contexts.merchant(OURS, "live", "m")?.pricing, test.pricing);
    assert.equal(reads().includes("prices"), false);
    replica.putCatalog([prices("2.0", 200), unruled("m", "2.0")]);
    assert.equal(versionOf(next(contexts, "m")), "2.0");
    assert.equal(versionOf(contexts.merchant(OURS, "live", "m")), "2.0");
    replica.putCatalog([{ key: pricesKey(OURS, "m"), value: null }, unruled("m")]);
    assert.equal(next(contexts, "m").pricing, null);
  });

  it("everything is read again if there are too many changes to name, or if the replica was created again", async () => {
    const { replica, contexts } = await createScene();
    putPolicy(replica, OURS, "m", holding(100));
    const before = next(contexts, "m");
    const many = Array.from({ length: 1001 }, (_, i) => unruled(`other_${i}`));
    replica.putCatalog([...many, { key: merchantKey(OURS, "m"), value: { policy: null, prices: null } }]);
    assert.equal(before.policy === null, false);
    assert.equal(next(contexts, "m").policy, null);

    const versions = { catalog: 7, health: 0 };
    const stored = openReplica(await temporaryDir());
    closeLater(() => stored.close());
    stored.putCatalog([workspace(OURS), unruled("m")]);
    const recreated = createDecisionContexts(
      { ...stored, refresh: () => (stored.refresh(), { ...versions }) },
      90,
    );
    const first = next(recreated, "m");
    assert.equal(next(recreated, "m"), first);
    versions.catalog = 1;
    assert.notEqual(next(recreated, "m"), first);
  });
});

describe("contexts: the cache is bounded in bytes", () => {
  const BOUNDS = { merchantBytesMax: 2 ** 20, policyBytesMax: 2 ** 20 };

  /**
   * Merchants in workspaces of ten, with a replica in memory, because the cache does not depend on the place of the
   * reads.
   */
  function crowd(contentOf: (merchant: number) => string, texts: Map<string, string>, bounds = BOUNDS) {
    const reads = { merchant: 0, policy: 0 };
    const replica = {
      refresh: () => ({ catalog: 1, health: 0 }),
      changedSince: () => null,
      release: () => undefined,
      readHealth: () => undefined,
      keysAfter: () => [],
      isReadable: () => true,
      close: () => Promise.resolve(),
      read(key: string): string | undefined {
        const [kind, ...rest] = key.split("/");
        if (kind === "workspace") return JSON.stringify(workspace(OURS).value);
        if (kind === "policy") {
          reads.policy++;
          return texts.get(rest.join("/"));
        }
        if (kind !== "merchant") return undefined;
        reads.merchant++;
        const content = contentOf(Number(rest[1]));
        return JSON.stringify({ policy: { policy_id: newId("pol"), version: "v1", content }, prices: null });
      },
    } satisfies Omit<Replica, "putCatalog" | "putHealth" | "putText">;
    const contexts = createDecisionContexts(replica, 90, bounds);
    contexts.refresh();
    return {
      contexts,
      ask: (merchant: number) =>
        contexts.merchant(`ws_${Math.floor(merchant / 10)}`, "test", String(merchant)) as MerchantContext,
      reads,
    };
  }

  const text = (fromMinor: number): string => policyContent(holding(fromMinor)).text;

  it("a merchant or a content that comes once is not kept", () => {
    const texts = new Map(Array.from({ length: 20_000 }, (_, i) => [`content_${i}`, text(i)]));
    const { contexts, ask, reads } = crowd((merchant) => `content_${merchant}`, texts);
    for (let merchant = 0; merchant < 20_000; merchant++) {
      const context = ask(merchant);
      assert.deepEqual([holds(context, merchant - 1), holds(context, merchant)], [false, true]);
    }
    assert.deepEqual(contexts.bytes(), { merchants: 0, policies: 0 });
    // The last request for this merchant was long ago, before those for all others. So this request counts as the first
    // one.
    ask(0);
    assert.deepEqual(contexts.bytes(), { merchants: 0, policies: 0 });
    ask(0);
    assert.ok(contexts.bytes().merchants > 0 && contexts.bytes().policies > 0);
    assert.deepEqual(reads, { merchant: 20_002, policy: 20_002 });
  });

  it("merchants that decide in turn are all cached after a few turns, with any hashes of their ids", () => {
    const { ask, reads } = crowd(() => "shared", new Map([["shared", text(100)]]));
    const turn = (): void => {
      for (let merchant = 0; merchant < 500; merchant++) ask(merchant);
    };
    for (let turns = 0; turns < 4; turns++) turn();
    reads.merchant = 0;
    turn();
    assert.equal(reads.merchant, 0);
  });

  it("two hundred thousand merchants pass through it, and the one that always decides is read again a few times", () => {
    const merchants = 200_000;
    const { contexts, ask, reads } = crowd(() => "shared", new Map([["shared", text(100)]]));
    const always = ofOneThatCameBack(() => ask(0));
    for (let merchant = 1; merchant < merchants; merchant++) {
      assert.equal(
        ofOneThatCameBack(() => ask(merchant)),
        ask(merchant),
      );
      if (merchant % 100 === 0)
        assert.equal(ofOneThatCameBack(() => ask(0)).policy?.compiled, always.policy?.compiled);
      if (merchant % 1000 === 0) {
        assert.ok(contexts.bytes().merchants <= BOUNDS.merchantBytesMax);
      }
    }
    // A full cache has room for over a thousand. Each of the other merchants is read twice before it is cached.
    const readAnew = reads.merchant - 2 * merchants;
    assert.ok(readAnew > 0 && readAnew < merchants / 500, `${readAnew}`);
    assert.equal(reads.policy, 2);
  });

  it("contents of passing merchants are evicted, and one in constant use is compiled again a few times", () => {
    const contents = 20_000;
    const texts = new Map(Array.from({ length: contents }, (_, i) => [`content_${i}`, text(i)]));
    const { contexts, ask, reads } = crowd((merchant) => `content_${merchant}`, texts);
    ofOneThatCameBack(() => ask(7));
    for (let merchant = 100; merchant < contents; merchant++) {
      const context = ofOneThatCameBack(() => ask(merchant));
      assert.equal(holds(context, merchant - 1), false);
      assert.equal(holds(context, merchant), true);
      if (merchant % 50 === 0)
        assert.equal(
          holds(
            ofOneThatCameBack(() => ask(7)),
            7,
          ),
          true,
        );
      if (merchant % 100 === 0) {
        assert.ok(contexts.bytes().policies <= BOUNDS.policyBytesMax);
      }
    }
    const compiledAnew = reads.policy - 2 * (1 + contents - 100);
    assert.ok(compiledAnew > 0 && compiledAnew < contents / 50, `${compiledAnew}`);
    assert.equal(holds(ask(100), 100), true);
    assert.equal(holds(ask(100), 99), false);
  });

  it("a merchant that is kept longer than its content has it compiled again, and shares it again", () => {
    const texts = new Map(Array.from({ length: 1000 }, (_, i) => [`content_${i}`, text(i)]));
    const bounds = { merchantBytesMax: 2 ** 24, policyBytesMax: 50_000 };
    const { ask, reads } = crowd((merchant) => `content_${Math.max(merchant, 1)}`, texts, bounds);
    const both = () =>
      [0, 1].map((merchant) => ofOneThatCameBack(() => ask(merchant))) as [MerchantContext, MerchantContext];
    const [one, other] = both();
    assert.equal(one.policy?.compiled, other.policy?.compiled);
    assert.equal(reads.policy, 2);
    for (let merchant = 2; merchant < 1000; merchant++) ofOneThatCameBack(() => ask(merchant));
    reads.policy = 0;
    const [oneAgain, otherAgain] = both();
    assert.notEqual(oneAgain.policy?.compiled, one.policy?.compiled);
    assert.equal(oneAgain.policy?.compiled, otherAgain.policy?.compiled);
    assert.deepEqual([holds(oneAgain, 0), holds(otherAgain, 1)], [false, true]);
    assert.ok(reads.policy > 0);
    assert.equal(ask(0), oneAgain);
  });

  it("a content that gets its index is counted with it", () => {
    const many = holding(1, {
      rules: rules(
        Array.from({ length: 50 }, (_, i) => ({
          name: `r${i}`,
          when: { amount_gte: i },
          then: { type: "hold" },
        })),
      ),
    });
    const { contexts, ask } = crowd(() => "many", new Map([["many", policyContent(many).text]]));
    const context = ofOneThatCameBack(() => ask(0));
    holds(context, 1);
    const { policies } = contexts.bytes();
    for (let i = 0; i < 1000; i++) holds(context, 1);
    assert.ok(contexts.bytes().policies > policies);
  });

  it("a workspace that is asked about and unknown leaves nothing behind", () => {
    const contexts = createDecisionContexts(
      {
        refresh: () => ({ catalog: 1, health: 0 }),
        changedSince: () => null,
        release: () => undefined,
        readHealth: () => undefined,
        keysAfter: () => [],
        isReadable: () => true,
        close: () => Promise.resolve(),
        read: (key) => (key.startsWith("workspace/") ? JSON.stringify(workspace(OURS).value) : undefined),
      },
      90,
      BOUNDS,
    );
    contexts.refresh();
    for (let i = 0; i < 1000; i++) assert.equal(contexts.merchant(`ws_${i}`, "test", "made up"), null);
    assert.deepEqual(contexts.bytes(), { merchants: 0, policies: 0 });
  });
});

describe("contexts: the inputs of a decision", () => {
  it("ACT-3: a workspace without a risk threshold has the setting's, independent of its copy", async () => {
    const replica = openReplica(await temporaryDir());
    closeLater(() => replica.close());
    replica.putCatalog([
      workspace(OURS, null),
      { key: merchantKey(OURS, "m"), value: { policy: null, prices: null } },
    ]);
    for (const setting of [90, 40]) {
      const contexts = createDecisionContexts(replica, setting);
      assert.equal(next(contexts, "m").workspace.risk_block_threshold, setting);
    }
  });

  it("REQ-4: the workspace default, and if none, enforce", async () => {
    const { replica, contexts } = await createScene();
    replica.putCatalog([unruled("m")]);
    const context = toDecisionContext(
      next(contexts, "m"),
      contexts.health(OURS, "test"),
      { amount: 1, currency: "USD", country: "US", payment_method: "card" },
      0,
    );
    assert.equal(context.defaultDecisionMode, "enforce");
    assert.equal(context.normalAmountMaxMinor, null);
  });
});
