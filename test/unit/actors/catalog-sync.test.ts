import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createCatalogSync } from "../../../src/actors/catalog-sync.js";
import type { Catalog, CatalogMerchant } from "../../../src/persistence/catalog-queries.js";
import type { Policy } from "../../../src/policy/policy.js";
import {
  merchantKey,
  openReplica,
  type Replica,
  type ReplicaMerchant,
} from "../../../src/replica/replica.js";
import { LIMITS } from "../../../src/shared/limits.js";

const WORKSPACE = "ws_01m819ywxzg8dfk8zs8d8p9f8k";

let dir: string;
let replica: Replica;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), "payinference-catalog-"));
  replica = openReplica(dir);
});
after(async () => {
  await replica.close();
  await rm(dir, { recursive: true });
});

const merchant = (merchantId: string, policyId: string | null, storedBytes = 100): CatalogMerchant => ({
  workspaceId: WORKSPACE,
  merchantId,
  live: policyId === null ? null : { policyId, updatedAt: new Date(0), storedBytes },
});

/** A node's refresh when PostgreSQL holds these merchants: which policies it loads, page by page. */
async function refreshWith(merchants: CatalogMerchant[]): Promise<string[][]> {
  const pages: string[][] = [];
  const catalog: Catalog = { workspaces: [], merchants };
  const sync = createCatalogSync({
    load: async () => catalog,
    async loadPolicies(page) {
      pages.push(page.flatMap(({ live }) => (live === null ? [] : [live.policyId])));
      return page.flatMap(({ workspaceId, merchantId, live }) =>
        live === null ? [] : [{ workspaceId, merchantId, policy: { policy_id: live.policyId } as Policy }],
      );
    },
    replica,
    riskBlockThreshold: 90,
    onError: (error) => assert.fail(String(error)),
  });
  await sync.refresh();
  replica.refresh();
  return pages;
}

function held(merchantId: string): string | null | undefined {
  const text = replica.read(merchantKey(WORKSPACE, merchantId));
  return text === undefined ? undefined : ((JSON.parse(text) as ReplicaMerchant).policy?.policy_id ?? null);
}

describe("what a node copies of the catalog", () => {
  it("of many thousand merchants compares some at a time, and all of them", async () => {
    const count = 2 * LIMITS.catalogComparedAtOnce + 1;
    const many = Array.from({ length: count }, (_, i) => merchant(`many_${i}`, null));
    await refreshWith(many);
    let turns = 0;
    const counting = (): void => {
      turns++;
      next = setImmediate(counting);
    };
    let next = setImmediate(counting);
    // One has a policy since, and nothing else is copied again.
    assert.deepEqual(await refreshWith([...many.slice(1), merchant("many_0", "pol_late")]), [["pol_late"]]);
    clearImmediate(next);
    assert.ok(turns >= 2, `${turns} turns of the event loop`);
    assert.equal(held("many_0"), "pol_late");
    assert.equal(held(`many_${count - 1}`), null);
  });

  it("is each policy once: another publication loads no other policy again", async () => {
    const first = await refreshWith([merchant("a", "pol_1"), merchant("b", "pol_2"), merchant("c", null)]);
    assert.deepEqual(first, [["pol_1", "pol_2"]]);
    assert.deepEqual(
      await refreshWith([merchant("a", "pol_1"), merchant("b", "pol_2"), merchant("c", null)]),
      [],
    );
    const again = await refreshWith([merchant("a", "pol_3"), merchant("b", "pol_2"), merchant("c", null)]);
    assert.deepEqual(again, [["pol_3"]]);
    assert.deepEqual(["a", "b", "c", "d"].map(held), ["pol_3", "pol_2", null, undefined]);
  });

  it("comes some policies at a time, however many and large they are", async () => {
    const large = LIMITS.catalogPageStoredBytes / 2;
    const many = [
      merchant("a", "pol_4", large),
      merchant("b", "pol_5", large),
      merchant("c", "pol_6", large),
    ];
    assert.deepEqual(await refreshWith(many), [["pol_4", "pol_5"], ["pol_6"]]);
  });

  it("leaves no merchant behind that is gone, and takes it back", async () => {
    assert.deepEqual(await refreshWith([merchant("b", "pol_5")]), []);
    assert.deepEqual(["a", "b"].map(held), [undefined, "pol_5"]);
    assert.deepEqual(await refreshWith([merchant("a", "pol_4"), merchant("b", null)]), [["pol_4"]]);
    assert.deepEqual(["a", "b"].map(held), ["pol_4", null]);
  });
});
