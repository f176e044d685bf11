import assert from "node:assert/strict";
import type { Pool } from "pg";
import { startSession } from "../../../src/path/access/sessions.js";
import { insertMembership, insertUser } from "../../../src/features/accounts/queries.js";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import { idFromHex, idToHex } from "../../../src/domain/ids/ids.js";
import {
  MODES,
  OUTCOMES,
  type Mode,
  type Outcome,
  type Role,
} from "../../../src/domain/vocabulary/vocabulary.js";
import { send, type RunningService } from "../service/service.js";
import { newId } from "./tenants.js";

/** Creates the feedback to decisions. A writer with another node's id stores outcomes. Reviewers get a session. */

export interface Reported {
  outcome: Outcome;
  providerUsed: string;
  mode?: Mode;
  reportedAtMs?: number;
}

/** Stores outcomes by decision id. Afterwards the decisions are in PostgreSQL too. */
export async function reportOutcomes(
  service: RunningService,
  workspaceId: string,
  key: string,
  outcomes: ReadonlyMap<string, Reported>,
): Promise<void> {
  // A read of the decision waits until PostgreSQL has it.
  const last = [...outcomes.keys()].at(-1);
  assert.equal((await send(service, "GET", `/v1/decisions/${last}`, { key })).status, 200);
  await storeOutcomes(service, workspaceId, outcomes);
}

/** Stores outcomes by decision id. PostgreSQL must already have the decisions. */
export async function storeOutcomes(
  service: RunningService,
  workspaceId: string,
  outcomes: ReadonlyMap<string, Reported>,
): Promise<void> {
  const { rows: stored } = await service.pool.query<{ decision_id: string; order_id: string }>(
    "select decision_id, order_id from decisions where decision_id = any($1::uuid[])",
    [Array.from(outcomes.keys(), idToHex)],
  );
  const orders = new Map(
    stored.map(({ decision_id, order_id }) => [idFromHex("dec", decision_id), order_id]),
  );
  const rows = Array.from(
    outcomes,
    ([decisionId, { outcome, providerUsed, mode = "test", reportedAtMs }]) => ({
      workspaceId,
      decisionId,
      mode: MODES.indexOf(mode),
      outcome: OUTCOMES.indexOf(outcome),
      technicalFailureType: null,
      orderId: orders.get(decisionId) as string,
      providerUsed,
      providerLatencyMs: 321,
      providerReasonCode: "do_not_honor",
      amountMinor: 129_900,
      currency: "USD",
      reportedAtMs: reportedAtMs ?? Date.now(),
      createdAtMs: null,
      merchantScope: null,
    }),
  );
  const writer = createDecisionWriter(service.pool, { nodeId: newId("ws") });
  assert.equal(await writer.write({ decisions: [], outcomes: rows }, 1), "written");
}

/** Adds a member to the workspace. Resolves to the token of a session that began at `nowMs`. */
export async function signIn(
  pool: Pool,
  workspaceId: string,
  role: Role,
  nowMs = Date.now(),
): Promise<{ userId: string; token: string }> {
  const userId = newId("usr");
  await insertUser(pool, { userId, email: `${userId}@example.com`, passwordHash: "none" });
  await insertMembership(pool, { workspaceId, userId, role });
  const { token } = await startSession(pool, { userId, workspaceId }, nowMs);
  return { userId, token };
}
