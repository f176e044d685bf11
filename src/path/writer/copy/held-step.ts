import { idToHex } from "../../../domain/ids/ids.js";
import type { TransactionStep } from "../../../platform/postgres/copy-transaction.js";
import type { DecisionRow, RowId } from "./decision-row.js";

/**
 * EVT-12: adds events for held decisions, in the transaction that stores the decisions. Only numbers and hexadecimal
 * digits go into the SQL.
 */
export function tellOfHeld(held: readonly DecisionRow[]): TransactionStep {
  const arrays = [
    held.map(({ workspaceId }) => hexOf(workspaceId)),
    held.map(({ mode }) => mode),
    held.map(({ decisionId }) => hexOf(decisionId)),
  ];
  const literals = arrays.map((values) => `'{${values.join(",")}}'`);
  return { name: "event_deliveries", sql: `select add_held_events(${literals.join(", ")})` };
}

const hexOf = (id: RowId): string => (typeof id === "string" ? idToHex(id) : id.toString("hex"));
