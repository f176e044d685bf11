import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { changedEntry } from "../../../../src/path/replica/changed-entry.js";
import {
  amountsKey,
  merchantKey,
  policyContentKey,
  pricesKey,
  ruleIdsKey,
  workspaceKey,
} from "../../../../src/path/replica/replica.js";
import { MODES } from "../../../../src/domain/vocabulary/vocabulary.js";

describe("a changed entry of the replica", () => {
  const workspaceId = "ws_01jd4wqk2m0000000000000000";

  it("is identified by its key, with any name of a merchant", () => {
    assert.deepEqual(changedEntry(workspaceKey(workspaceId)), { kind: "workspace", workspaceId });
    for (const merchantId of ["demo_merchant", "a/b", "test/x", "/", "workspace/ws", "händler"]) {
      const merchant = { workspaceId, merchantId };
      assert.deepEqual(changedEntry(merchantKey(workspaceId, merchantId)), { kind: "merchant", ...merchant });
      assert.deepEqual(changedEntry(pricesKey(workspaceId, merchantId)), { kind: "prices", ...merchant });
      for (const mode of MODES) {
        const key = amountsKey(workspaceId, mode, merchantId);
        assert.deepEqual(changedEntry(key), { kind: "amounts", mode, ...merchant });
      }
    }
  });

  it("is nothing to a merchant's context where the entry is no part of one", () => {
    for (const key of [policyContentKey("name"), ruleIdsKey(workspaceId, "m"), "versions", ""]) {
      assert.equal(changedEntry(key), null);
    }
  });
});
