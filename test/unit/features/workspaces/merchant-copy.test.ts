import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import { copyMerchants } from "../../../../src/features/workspaces/merchant-copy.js";
import type { RecordCopy } from "../../../../src/path/changes/record-copy.js";
import type { OwnedPolicy } from "../../../../src/path/changes/copied-records.js";
import type { Policy, Rule } from "../../../../src/domain/policy/policy.js";
import {
  merchantKey,
  openReplica,
  policyContentKey,
  policyUsesKey,
  pricesKey,
  ruleIdsKey,
  type Replica,
  type ReplicaMerchant,
} from "../../../../src/path/replica/replica.js";
import { TUNING } from "../../../../src/domain/vocabulary/tuning.js";
import { closeLater } from "../../../support/closing.js";
import { temporaryDir } from "../../../support/postgres/postgres.js";
import type { MerchantHead } from "../../../../src/features/workspaces/queries/merchant-head.js";

const WORKSPACE = "ws_01m819ywxzg8dfk8zs8d8p9f8k";

let replica: Replica;
before(async () => {
  replica = openReplica(await temporaryDir());
  closeLater(() => replica.close());
});

/** PostgreSQL's contents, and the policies and prices that were loaded from it, page by page. */
const rows = new Map<
  string,
  { policy: Policy | null; storedBytes: number; prices: MerchantHead["prices"] }
>();
let asked: string[][];
let copies: RecordCopy;
beforeEach(async () => {
  rows.clear();
  asked = [];
  copies = copyMerchants({
    loadHeads: async (merchants) =>
      merchants.flatMap(({ workspaceId, key }): MerchantHead[] => {
        const row = rows.get(key);
        if (row === undefined) return [];
        const live =
          row.policy === null
            ? null
            : { policyId: row.policy.policy_id, version: row.policy.version, storedBytes: row.storedBytes };
        return [{ workspaceId, merchantId: key, live, prices: row.prices }];
      }),
    async loadPolicies(policies) {
      asked.push(policies.map(({ policyId }) => policyId));
      const wanted = new Set(policies.map(({ policyId }) => policyId));
      return Array.from(rows).flatMap(([merchantId, { policy }]): OwnedPolicy[] =>
        policy === null || !wanted.has(policy.policy_id)
          ? []
          : [{ workspaceId: WORKSPACE, merchantId, policy }],
      );
    },
    async loadPrices({ merchantId, contractVersion, observedVersion }) {
      asked.push([`${merchantId} ${contractVersion}.${observedVersion}`]);
      return { contracts: [], observed: [] };
    },
    stored: async () => [],
    replica,
  });
  await copies.copy(copies.held(null, 100_000));
});

const rule = (name: string, ruleId: string): Rule => ({
  rule_id: ruleId,
  name,
  priority: 1,
  enabled: true,
  when: {},
  then: { type: "hold" },
});
const policyOf = (policyId: string, rules: Rule[], version = "v1"): Policy => ({
  policy_id: policyId,
  name: policyId,
  status: "published",
  version,
  default_provider: null,
  rules,
  updated_at: "2026-11-23T00:00:00.000Z",
});
const store = (merchantId: string, policy: Policy | null, storedBytes = 100): void =>
  void rows.set(merchantId, { policy, storedBytes, prices: rows.get(merchantId)?.prices ?? null });
const copy = (...merchantIds: string[]): Promise<number> =>
  copies.copy(merchantIds.map((key) => ({ workspaceId: WORKSPACE, key })));

function held(merchantId: string): ReplicaMerchant | null {
  replica.refresh();
  const text = replica.read(merchantKey(WORKSPACE, merchantId));
  return text === undefined ? null : (JSON.parse(text) as ReplicaMerchant);
}
const contents = (): string[] => {
  replica.refresh();
  return replica.keysAfter(policyContentKey(""));
};

describe("the cost of a change is that change", () => {
  it("NODE-2: a publication loads its own policy and touches its own merchant", async () => {
    store("a", policyOf("pol_1", [rule("one", "r1")]));
    store("b", policyOf("pol_2", [rule("two", "r2")]));
    store("c", null);
    assert.equal(await copy("a", "b", "c"), 3);
    assert.deepEqual(asked, [["pol_1", "pol_2"]]);
    const { catalog } = replica.refresh();
    asked = [];
    assert.equal(await copy("a", "b", "c"), 0, "nothing differs");
    assert.deepEqual([asked, replica.refresh().catalog], [[], catalog]);
    store("a", policyOf("pol_3", [rule("three", "r3")], "v2"));
    assert.equal(await copy("a"), 1);
    assert.deepEqual(asked, [["pol_3"]]);
    replica.refresh();
    const changed = replica.changedSince(catalog) ?? [];
    assert.deepEqual(changed.toSorted(), [merchantKey(WORKSPACE, "a"), ruleIdsKey(WORKSPACE, "a")]);
    assert.deepEqual([held("a")?.policy?.version, held("b")?.policy?.policy_id], ["v2", "pol_2"]);
  });

  it("policies come some at a time, however many and large they are", async () => {
    const large = TUNING.policyPageStoredBytes / 2;
    store("a", policyOf("pol_4", []), large);
    store("b", policyOf("pol_5", []), large);
    store("c", policyOf("pol_6", []), large);
    await copy("a", "b", "c");
    assert.deepEqual(asked, [["pol_4", "pol_5"], ["pol_6"]]);
  });

  it("prices are loaded where their version changed, and go with it", async () => {
    store("a", policyOf("pol_1", []));
    rows.set("a", { policy: null, storedBytes: 0, prices: { contractVersion: 2, observedVersion: 1 } });
    await copy("a");
    assert.deepEqual([asked, held("a")?.prices], [[["a 2.1"]], "2.1"]);
    asked = [];
    store("a", policyOf("pol_1", []));
    await copy("a");
    assert.deepEqual([asked, held("a")?.prices], [[["pol_1"]], "2.1"]);
    replica.refresh();
    assert.match(String(replica.read(pricesKey(WORKSPACE, "a"))), /^\{"version":"2\.1"/);
    rows.set("a", { policy: null, storedBytes: 0, prices: null });
    await copy("a");
    replica.refresh();
    assert.equal(replica.read(pricesKey(WORKSPACE, "a")), undefined);
  });
});

describe("NODE-2: identical policies are held once", () => {
  it("with any ids of their rules, and as long as one merchant has them", async () => {
    const template = (n: number) => policyOf(`pol_${n}`, [rule("same", `rule_${n}`)], `v${n}`);
    for (const n of [1, 2, 3]) store(`m${n}`, template(n));
    await copy("m1", "m2");
    await copy("m3");
    const [name, ...others] = contents();
    assert.deepEqual([others, replica.read(policyUsesKey(String(name)))], [[], "3"]);
    assert.deepEqual(
      [1, 2, 3].map((n) => [held(`m${n}`)?.policy, replica.read(ruleIdsKey(WORKSPACE, `m${n}`))]),
      [1, 2, 3].map((n) => [
        { policy_id: `pol_${n}`, version: `v${n}`, content: name },
        JSON.stringify([`rule_${n}`]),
      ]),
    );
    // m1 publishes a new policy with the same content, m2 archives its policy, and m3 is deleted.
    store("m1", template(4));
    store("m2", null);
    rows.delete("m3");
    await copy("m1", "m2", "m3");
    assert.deepEqual([contents(), replica.read(policyUsesKey(String(name)))], [[name], "1"]);
    assert.deepEqual([held("m2"), held("m3")], [{ policy: null, prices: null }, null]);
    assert.equal(replica.read(ruleIdsKey(WORKSPACE, "m2")), undefined);
    store("m1", policyOf("pol_5", [rule("another", "rule_5")]));
    await copy("m1");
    assert.equal(contents().length, 1);
    assert.notEqual(contents()[0], name);
    assert.equal(replica.read(policyUsesKey(String(name))), undefined);
  });

  it("a content that was lost is found missing, and comes back", async () => {
    for (const n of [1, 2]) store(`m${n}`, policyOf(`pol_${n}`, [rule("same", `rule_${n}`)]));
    await copy("m1", "m2");
    const [name = ""] = contents();
    replica.putText(policyContentKey(name), null);
    replica.putText(policyUsesKey(name), null);
    assert.ok((await copy("m1", "m2")) > 0);
    assert.deepEqual(contents(), [name]);
    assert.equal(await copy("m1", "m2"), 0);
  });

  it("two policies that differ in one rule are held apart", async () => {
    store("a", policyOf("pol_1", [rule("one", "r")]));
    store("b", policyOf("pol_2", [rule("two", "r")]));
    await copy("a", "b");
    assert.equal(contents().length, 2);
  });
});

describe("a policy that is gone again is not made up", () => {
  it("a merchant whose policy cannot be read keeps its copy, and its next change updates the rest", async () => {
    store("a", policyOf("pol_1", []));
    await copy("a");
    const late = policyOf("pol_2", []);
    store("a", late);
    // The policy disappears between the two reads.
    const { policy_id } = late;
    late.policy_id = "pol_gone";
    const reading = copy("a");
    late.policy_id = policy_id;
    await reading;
    assert.equal(held("a")?.policy?.policy_id, "pol_1");
    await copy("a");
    assert.equal(held("a")?.policy?.policy_id, "pol_2");
  });
});
