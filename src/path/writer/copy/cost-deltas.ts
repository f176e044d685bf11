import type { CostComparison } from "../../../domain/pricing/cost-comparison.js";
import { type TransactionStep, CopyBuffer } from "../../../platform/postgres/copy-transaction.js";
import type { RowId, RowText } from "./decision-row.js";
import { rowTimeMs } from "./decision-batch.js";
import { HOUR_MS } from "./rollup-columns.js";

/** A decision whose primary provider has real pricing. A journal record has this shape. */
export interface CostRow extends CostComparison {
  /** `ws_…` */
  workspaceId: RowId;
  /** `dec_…` */
  decisionId: RowId;
  /** Position in MODES. */
  mode: number;
  /** Position in DECISION_MODES. */
  decisionMode: number;
  /** ISO 4217. */
  currency: RowText;
}

interface Delta {
  first: CostRow;
  hour: number;
  decisions: number;
  costMinor: number;
  savedDearestMinor: number;
  firstDecisions: number;
  savedFirstMinor: number;
}

export interface EncodedRows {
  steps: TransactionStep[];
  /** The number of delta rows. A fold removes them. */
  rows: number;
}

const COLUMNS = `workspace_id, mode, hour, currency, decision_mode, decisions, cost_minor, saved_dearest_minor,
  first_decisions, saved_first_minor`;
const COLUMN_COUNT = 10;
const ROW_BYTES_MAX = 20 + 2 * 6 + 3 * 8 + 3 * 12 + 16;

/**
 * Sums costs into COPY bytes for rollup_cost_deltas. A row has one workspace, mode, decision mode, hour and currency.
 * The bytes belong to the encoder, and its next call overwrites them.
 */
export class CostDeltaEncoder {
  #copy = new CopyBuffer(1 << 12);

  encode(rows: readonly CostRow[]): EncodedRows {
    const deltas = addUp(rows);
    const copy = this.#copy;
    copy.begin();
    for (const { first, hour, ...sums } of deltas) {
      copy.row(COLUMN_COUNT, ROW_BYTES_MAX);
      copy.id(first.workspaceId);
      copy.int2(first.mode);
      copy.int4(hour);
      copy.text(first.currency);
      copy.int2(first.decisionMode);
      copy.int4(sums.decisions);
      copy.int8(sums.costMinor);
      copy.int8(sums.savedDearestMinor);
      copy.int4(sums.firstDecisions);
      copy.int8(sums.savedFirstMinor);
    }
    const sql = `copy rollup_cost_deltas_rows (${COLUMNS}) from stdin (format binary)`;
    return { steps: [{ name: "rollup_cost_deltas", sql, copyBytes: copy.end() }], rows: deltas.length };
  }
}

function addUp(rows: readonly CostRow[]): Delta[] {
  const deltas: Delta[] = [];
  const open = new Map<string, Delta>();
  for (const row of rows) {
    const hour = Math.floor(rowTimeMs(row.decisionId) / HOUR_MS);
    const { workspaceId, currency } = row;
    const workspace = typeof workspaceId === "string" ? workspaceId : workspaceId.toString("latin1");
    const key = `${workspace}\0${row.mode}\0${row.decisionMode}\0${hour}\0${currency.toString()}`;
    let delta = open.get(key);
    if (delta === undefined || !add(delta, row)) {
      delta = newDelta(row, hour);
      open.set(key, delta);
      deltas.push(delta);
      add(delta, row);
    }
  }
  return deltas;
}

function newDelta(first: CostRow, hour: number): Delta {
  return {
    first,
    hour,
    decisions: 0,
    costMinor: 0,
    savedDearestMinor: 0,
    firstDecisions: 0,
    savedFirstMinor: 0,
  };
}

/**
 * Adds a decision's costs. Returns false, and adds nothing, if a sum would no longer be exact. Another row then begins,
 * and PostgreSQL sums the rows as numeric.
 */
function add(delta: Delta, { costMinor, dearestMinor, firstMinor }: CostRow): boolean {
  const cost = delta.costMinor + costMinor;
  const savedDearest = delta.savedDearestMinor + (dearestMinor - costMinor);
  const savedFirst = delta.savedFirstMinor + (firstMinor === null ? 0 : firstMinor - costMinor);
  if (![cost, savedDearest, savedFirst].every(Number.isSafeInteger)) return false;
  delta.decisions++;
  delta.costMinor = cost;
  delta.savedDearestMinor = savedDearest;
  if (firstMinor !== null) delta.firstDecisions++;
  delta.savedFirstMinor = savedFirst;
  return true;
}
