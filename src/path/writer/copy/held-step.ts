import { idToHex } from "../../../domain/ids/ids.js";
import { ACTIONS, DECISION_MODES } from "../../../domain/vocabulary/vocabulary.js";
import type { TransactionStep } from "../../../platform/postgres/copy-transaction.js";
import type { DecisionRow, RowId } from "./decision-row.js";

const HOLD = ACTIONS.indexOf("hold");
const ENFORCE = DECISION_MODES.indexOf("enforce");

/**
 * EVT-12: tells of the decisions that wait for a review, in the transaction that stores them. A batch without any has no
 * step. The values are numbers and hexadecimal digits.
 */
export function tellOfHeld(decisions: readonly DecisionRow[]): TransactionStep[] {
  const held = decisions.filter(({ action, decisionMode }) => action === HOLD && decisionMode === ENFORCE);
  if (held.length === 0) return [];
  const arrays = [
    `'{${held.map(({ workspaceId }) => hexOf(workspaceId)).join(",")}}'`,
    `'{${held.map(({ mode }) => mode).join(",")}}'`,
    `'{${held.map(({ decisionId }) => hexOf(decisionId)).join(",")}}'`,
  ];
  return [{ name: "event_deliveries", sql: `select add_held_events(${arrays.join(", ")})` }];
}

const hexOf = (id: RowId): string => (typeof id === "string" ? idToHex(id) : id.toString("hex"));
