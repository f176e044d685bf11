import type { ByteRange } from "../../journal/decision-record.js";
import type { TransactionStep } from "../../../platform/postgres/copy-transaction.js";

/** A decision that counts as an attempt for a key. A journal record has this shape. */
export interface AttemptRow {
  key: ByteRange;
  /** 16 bytes. */
  decisionId: ByteRange;
}

/**
 * RTRY-17: stores a transaction's attempts in one row, which all nodes read. The value is a literal of hexadecimal
 * digits.
 */
export function storeAttempts(rows: readonly AttemptRow[]): TransactionStep {
  const digits = rows.map(({ key, decisionId }) => key.toString("hex") + decisionId.toString("hex"));
  return {
    name: "order_attempts",
    sql: `insert into order_attempts (attempts) values ('\\x${digits.join("")}')`,
  };
}
