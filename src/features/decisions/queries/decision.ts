import { idToHex } from "../../../domain/ids/ids.js";
import { MODES, type Mode } from "../../../domain/vocabulary/vocabulary.js";
import { decodeSegment } from "../../../path/writer/copy/decision-batch.js";
import {
  FEEDBACK_COLUMNS,
  FEEDBACK_JOINS,
  outcomeOf,
  reviewOf,
  type FeedbackRow,
  type StoredDecision,
} from "./stored-feedback.js";
import { assertNotSetAside } from "./set-aside.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";

interface FoundRow extends FeedbackRow {
  merchant_id: string;
  doc_offset: number;
  doc_bytes: number;
  docs: Buffer;
}

const FIND_DECISION = {
  name: "find_decision",
  text: `select d.merchant_id, d.doc_offset, d.doc_bytes, s.docs, ${FEEDBACK_COLUMNS}
         from decisions d
         join decision_segments s on s.workspace_id = d.workspace_id and s.segment_id = d.segment_id
         ${FEEDBACK_JOINS}
         where d.workspace_id = $1 and d.mode = $2 and d.decision_id = $3`,
};

/**
 * Finds one decision of a workspace and mode with its outcome and review. Resolves to null when there is none, also for
 * a decision of another workspace or mode (AUTH-16). Rejects with DecisionSetAsideError for a decision that waits to be
 * stored. `workspaceId` is `ws_…` and `decisionId` is `dec_…`, both well-formed.
 */
export async function findDecision(
  db: TenantConnection,
  workspaceId: string,
  mode: Mode,
  decisionId: string,
): Promise<StoredDecision | null> {
  const values = [idToHex(workspaceId), MODES.indexOf(mode), idToHex(decisionId)];
  const { rows } = await db.query<FoundRow>({ ...FIND_DECISION, values });
  const row = rows[0];
  if (row === undefined) {
    await assertNotSetAside(db, values);
    return null;
  }
  const docs = decodeSegment(row.docs);
  return {
    merchantId: row.merchant_id,
    doc: docs.toString("utf8", row.doc_offset, row.doc_offset + row.doc_bytes),
    outcome: outcomeOf(row),
    review: reviewOf(row),
  };
}
