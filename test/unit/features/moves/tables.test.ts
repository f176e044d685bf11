import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MOVE_TUNING } from "../../../../src/domain/vocabulary/tuning/moves.js";
import { TUNING } from "../../../../src/domain/vocabulary/tuning.js";
import { WORKSPACE_TABLES } from "../../../../src/features/erasures/job/tables.js";
import {
  CHUNK_TABLE,
  CONFIG_TABLES,
  DELTA_TABLES,
  FIGURE_TABLES,
  LAST_TABLES,
  LEFT_TABLES,
  LOG_TABLES,
} from "../../../../src/features/moves/job/tables.js";

describe("what moves to another cell", () => {
  const log = [...LOG_TABLES, CHUNK_TABLE].map(({ table }) => table);
  const config = CONFIG_TABLES.map(({ table }) => table);

  it("CELL-9: every table with a workspace's rows moves in one way, or stays behind for a reason", () => {
    // The test of RET-20 compares WORKSPACE_TABLES with PostgreSQL's catalogue.
    const named = [
      "workspaces",
      ...log,
      ...config,
      ...FIGURE_TABLES,
      ...DELTA_TABLES,
      ...LAST_TABLES,
      ...LEFT_TABLES,
    ];
    assert.deepEqual(named.toSorted(), WORKSPACE_TABLES.toSorted());
  });

  it("a row comes after the one that it refers to", () => {
    const REFERENCES: Readonly<Record<string, readonly string[]>> = {
      merchants: [
        "api_keys",
        "policies",
        "merchant_prices",
        "webhook_secrets",
        "webhook_events",
        "provider_incidents",
      ],
      memberships: ["sessions", "password_resets", "saved_views"],
    };
    for (const [parent, children] of Object.entries(REFERENCES)) {
      const { isReferenced } = CONFIG_TABLES.find(({ table }) => table === parent) ?? {};
      assert.equal(isReferenced, true, parent);
      for (const child of children) assert.ok(config.indexOf(child) > config.indexOf(parent), child);
    }
  });

  it("CELL-8, CELL-10: reads open within 10 s, and a request waits for replies no longer than for a claim", () => {
    assert.ok(MOVE_TUNING.closedMsMax < 10_000 && MOVE_TUNING.inFlightMs < MOVE_TUNING.closedMsMax);
    assert.ok(MOVE_TUNING.repliesAfterMs < MOVE_TUNING.holdMs);
    assert.ok(MOVE_TUNING.holdMs < TUNING.idempotencyClaimMs);
  });
});
