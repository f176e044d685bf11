import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { insertPolicy, publishPolicy } from "../../../src/features/policies/queries.js";
import { onceLooked } from "../../support/service/once-looked.js";
import { decisionBody, send, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { createKey, createWorkspace, newId, rules, type RuleSpec } from "../../support/people/tenants.js";
import { IS_TWO_NODES } from "../../support/two-nodes-mode.js";
import { tenantsOf } from "../../support/postgres/postgres.js";

const VERSIONS = 15;
const RULES_PER_VERSION = 40;

let service: RunningService;
let workspaceId: string;
let key: string;
before(async () => {
  service = await sharedTestService();
  workspaceId = await createWorkspace(service, { merchants: ["loaded", "drafts", "rollback"] });
  key = await createKey(service.pool, workspaceId);
});

async function decide(merchantId: string): Promise<{
  policy: { policy_id: string | null; policy_version: string | null; matched_rules: string[] };
  action: string;
}> {
  const body = decisionBody({ merchant_id: merchantId });
  const { status, json, text } = await send(service, "POST", "/v1/decision", { body, key });
  assert.equal(status, 200, text);
  return json as never;
}

function insert(merchantId: string, specs: readonly RuleSpec[], publish: boolean) {
  const policy = { policy_id: newId("pol"), name: "Test", default_provider: null, rules: rules(specs) };
  return insertPolicy(tenantsOf(service.pool).of(workspaceId), workspaceId, merchantId, policy, publish);
}

const inForce = (check: () => Promise<void>): Promise<void> => onceLooked(service, check);

/**
 * The last rule blocks in odd versions and not in even ones. A policy that was read only in part would give a wrong
 * action or list.
 */
function versionRules(version: number): RuleSpec[] {
  return Array.from({ length: RULES_PER_VERSION }, (_, i) => ({
    name: `v${version} rule ${i}`,
    then:
      version % 2 === 1 && i === RULES_PER_VERSION - 1
        ? { type: "block" }
        : { type: "no_retry", reason_codes: [`v${version}`] },
  }));
}

describe("publishing", () => {
  it("POL-10, RES-9: never decides by half a policy, and reaches every worker", async () => {
    const idsByVersion = new Map<string, string>();
    let publishing = true;
    /**
     * The newest version that an answer of one node has shown, or that both nodes have. Later answers must not show an
     * older one.
     */
    let shown = 0;
    const versions = new Set<string | null>();
    const work = async (): Promise<void> => {
      while (publishing) {
        const atLeast = shown;
        const { policy, action } = await decide("loaded");
        versions.add(policy.policy_version);
        if (policy.policy_version === null) {
          assert.equal(atLeast, 0);
          assert.deepEqual(policy, { policy_id: null, policy_version: null, matched_rules: [] });
          continue;
        }
        const version = Number(policy.policy_version.slice(1));
        assert.ok(version >= atLeast, `${version} after ${atLeast}`);
        if (!IS_TWO_NODES) shown = Math.max(shown, version);
        assert.deepEqual(
          policy.matched_rules,
          versionRules(version).map(({ name }) => name),
        );
        assert.equal(action, version % 2 === 1 ? "block" : "route");
        const known = idsByVersion.get(policy.policy_version) ?? policy.policy_id;
        assert.equal(policy.policy_id, known);
        idsByVersion.set(policy.policy_version, String(known));
      }
    };
    const workers = Array.from({ length: 8 }, work);
    try {
      for (let version = 1; version <= VERSIONS; version++) {
        const policy = await insert("loaded", versionRules(version), true);
        assert.equal(policy?.version, `v${version}`);
        // Many successive answers under load, from both workers, must use the new version.
        await inForce(async () => {
          const replies = await Promise.all(Array.from({ length: 20 }, () => decide("loaded")));
          assert.ok(replies.every((reply) => reply.policy.policy_id === policy.policy_id));
        });
        shown = Math.max(shown, version);
      }
    } finally {
      publishing = false;
    }
    await Promise.all(workers);
    assert.equal(versions.has(`v${VERSIONS}`), true);
    assert.equal(new Set(idsByVersion.values()).size, idsByVersion.size);
  });

  it("a draft changes no decision", async () => {
    await insert("drafts", [{ name: "block", then: { type: "block" } }], false);
    const live = await insert("drafts", [{ name: "hold", then: { type: "hold" } }], true);
    await inForce(async () => assert.equal((await decide("drafts")).action, "hold"));
    await insert("drafts", [{ name: "block", then: { type: "block" } }], false);
    // The node copies changes in order. Once it decides by this later publish, it also has the draft.
    await insert("rollback", [{ name: "marker", then: { type: "step_up" } }], true);
    await inForce(async () => assert.equal((await decide("rollback")).action, "step_up"));
    const { policy, action } = await decide("drafts");
    assert.deepEqual([action, policy.policy_id, policy.policy_version], ["hold", live?.policy_id, "v2"]);
  });

  it("publishing an archived policy again is a rollback", async () => {
    const first = await insert("rollback", [{ name: "hold", then: { type: "hold" } }], true);
    await insert("rollback", [{ name: "block", then: { type: "block" } }], true);
    await inForce(async () => assert.equal((await decide("rollback")).action, "block"));
    await publishPolicy(tenantsOf(service.pool).of(workspaceId), workspaceId, String(first?.policy_id));
    await inForce(async () => assert.equal((await decide("rollback")).action, "hold"));
    assert.equal((await decide("rollback")).policy.policy_id, first?.policy_id);
  });
});
