import { ACTIONS, DECISION_MODES } from "../../../domain/vocabulary/vocabulary.js";
import { type TransactionStep, CopyBuffer } from "../../../platform/postgres/copy-transaction.js";
import type { DecisionRow, RowId, RowText } from "./decision-row.js";
import { rowTimeMs } from "./decision-batch.js";
import {
  BAND_COLUMNS,
  ENFORCE_COLUMNS,
  HOUR_MS,
  LATENCY_UNITS_PER_MS,
  SHADOW_COLUMNS,
  UNRESOLVED_COLUMNS,
} from "./rollup-columns.js";
import { SEMICOLON } from "./facet-deltas.js";

/**
 * With this many decisions, a row's latencies and providers take less than half a page, so that PostgreSQL never stores
 * them out of line.
 */
const DELTA_DECISIONS_MAX = 500;

const COUNT_COLUMNS = [...ENFORCE_COLUMNS, ...SHADOW_COLUMNS, ...UNRESOLVED_COLUMNS, ...BAND_COLUMNS];
const COLUMNS = [
  "workspace_id, mode, merchant_id, hour",
  ...COUNT_COLUMNS,
  "latency_sum, providers, provider_decisions, latencies",
];
const FIELD_COUNT = 4 + COUNT_COLUMNS.length + 4;
const SHADOW_AT = ACTIONS.length;
const UNRESOLVED_AT = 2 * ACTIONS.length;
const BANDS_AT = 3 * ACTIONS.length;
const SHADOW = DECISION_MODES.indexOf("shadow");

/** What a batch's decisions of one merchant, mode and hour add to the merchant's rollups. */
interface Delta {
  workspaceId: RowId;
  mode: number;
  merchantId: RowText;
  hour: number;
  decisions: number;
  counts: Int32Array;
  latencySum: number;
  latencies: Int32Array;
  /** The primary providers. `providerDecisions` has each provider's number of decisions, in the same order. */
  providers: RowText[];
  providerDecisions: number[];
}

export interface EncodedDeltas {
  step: TransactionStep;
  rows: number;
}

/**
 * Sums decisions into COPY bytes for rollup_deltas, which has everything that is counted when a decision is made. The
 * bytes belong to the encoder, and its next call overwrites them.
 */
export class RollupDeltaEncoder {
  #copy = new CopyBuffer(1 << 16);

  encode(rows: readonly DecisionRow[]): EncodedDeltas {
    const deltas: Delta[] = [];
    const open = new Map<string, Delta>();
    let last: Delta | undefined;
    for (const row of rows) {
      const hour = Math.floor(rowTimeMs(row.decisionId) / HOUR_MS);
      if (last === undefined || !fits(last, row, hour)) {
        // NUL separates the key's parts, because it occurs in no id, mode or hour.
        const key = `${textOf(row.workspaceId)}\0${row.mode}\0${hour}\0${textOf(row.merchantId)}`;
        last = open.get(key);
        if (last === undefined || last.decisions === DELTA_DECISIONS_MAX) {
          last = newDelta(row, hour);
          open.set(key, last);
          deltas.push(last);
        }
      }
      count(last, row);
    }
    this.#copy.begin();
    for (const delta of deltas) this.#write(delta);
    return {
      step: {
        name: "rollup_deltas",
        sql: `copy rollup_deltas_rows (${COLUMNS.join(", ")}) from stdin (format binary)`,
        copyBytes: this.#copy.end(),
      },
      rows: deltas.length,
    };
  }

  #write(delta: Delta): void {
    const copy = this.#copy;
    let textBytes = 0;
    for (const provider of delta.providers) textBytes += 12 + 3 * provider.length;
    copy.row(
      FIELD_COUNT,
      192 + 3 * delta.merchantId.length + 8 * (COUNT_COLUMNS.length + delta.decisions) + textBytes,
    );
    copy.id(delta.workspaceId);
    copy.int2(delta.mode);
    copy.text(delta.merchantId);
    copy.int4(delta.hour);
    for (const number of delta.counts) {
      if (number === 0) copy.null();
      else copy.int4(number);
    }
    copy.int8(delta.latencySum);
    copy.textArray(delta.providers);
    copy.int4Array(delta.providerDecisions);
    copy.int4Array(delta.latencies.subarray(0, delta.decisions));
  }
}

function newDelta({ workspaceId, mode, merchantId }: DecisionRow, hour: number): Delta {
  return {
    workspaceId,
    mode,
    merchantId,
    hour,
    decisions: 0,
    counts: new Int32Array(COUNT_COLUMNS.length),
    latencySum: 0,
    latencies: new Int32Array(DELTA_DECISIONS_MAX),
    providers: [],
    providerDecisions: [],
  };
}

/**
 * True if the row belongs to the delta of the previous row. Most rows do, and this comparison is cheaper than a
 * look-up.
 */
function fits(delta: Delta, row: DecisionRow, hour: number): boolean {
  return (
    delta.decisions < DELTA_DECISIONS_MAX &&
    delta.hour === hour &&
    delta.mode === row.mode &&
    isSame(delta.merchantId, row.merchantId) &&
    isSame(delta.workspaceId, row.workspaceId)
  );
}

function isSame(a: RowText, b: RowText): boolean {
  return typeof a === "string" || typeof b === "string" ? a === b : a.equals(b);
}

function count(delta: Delta, row: DecisionRow): void {
  const { counts } = delta;
  if (row.decisionMode === SHADOW) {
    add(counts, SHADOW_AT + row.action);
  } else {
    add(counts, row.action);
    add(counts, UNRESOLVED_AT + row.action);
  }
  add(counts, BANDS_AT + row.riskBand);
  const units = Math.round(row.latencyMs * LATENCY_UNITS_PER_MS);
  delta.latencySum += units;
  delta.latencies[delta.decisions++] = units;
  if (row.primaryProvider !== null && row.primaryProvider.length > 0)
    countProvider(delta, row.primaryProvider);
}

/** Scans the providers, because they are few and making a key would cost more. */
function countProvider({ providers, providerDecisions }: Delta, provider: RowText): void {
  let at = 0;
  while (at < providers.length && !isSame(providers[at] as RowText, provider)) at++;
  if (at === providers.length) providers.push(provider);
  providerDecisions[at] = (providerDecisions[at] ?? 0) + 1;
}

function add(counts: Int32Array, at: number): void {
  counts[at] = (counts[at] as number) + 1;
}

/** latin1 suffices, because ids and codes are ASCII. */
function textOf(text: RowText): string {
  return typeof text === "string" ? text : text.toString("latin1");
}

/** This many entries mostly fit into a page, so that PostgreSQL does not store them out of line. */
const FACET_ENTRIES_MAX = 100;

interface FacetEntries {
  workspaceId: RowId;
  mode: number;
  hour: number;
  /** The number of decisions, by the beginning of their entry. */
  decisions: Map<string, number>;
}

/**
 * Sums decisions into COPY bytes for facet_deltas. The bytes belong to the encoder, and its next call overwrites them.
 */
export class FacetDeltaEncoder {
  #copy = new CopyBuffer(1 << 16);

  encode(rows: readonly DecisionRow[]): TransactionStep {
    const deltas: FacetEntries[] = [];
    const open = new Map<string, FacetEntries>();
    for (const row of rows) {
      const hour = Math.floor(rowTimeMs(row.decisionId) / HOUR_MS);
      const key = `${textOf(row.workspaceId)}\0${row.mode}\0${hour}`;
      let delta = open.get(key);
      if (delta === undefined || delta.decisions.size === FACET_ENTRIES_MAX) {
        delta = { workspaceId: row.workspaceId, mode: row.mode, hour, decisions: new Map() };
        open.set(key, delta);
        deltas.push(delta);
      }
      const entry = entryOf(row);
      delta.decisions.set(entry, (delta.decisions.get(entry) ?? 0) + 1);
    }
    this.#copy.begin();
    for (const delta of deltas) this.#write(delta);
    return {
      name: "facet_deltas",
      sql: "copy facet_deltas_rows (workspace_id, mode, hour, decided) from stdin (format binary)",
      copyBytes: this.#copy.end(),
    };
  }

  #write({ workspaceId, mode, hour, decisions }: FacetEntries): void {
    const copy = this.#copy;
    const text = Array.from(decisions, ([entry, number]) => `${entry},${number}`).join(SEMICOLON);
    copy.row(4, 20 + 6 + 8 + 4 + 3 * text.length);
    copy.id(workspaceId);
    copy.int2(mode);
    copy.int4(hour);
    copy.text(text);
  }
}

function entryOf(row: DecisionRow): string {
  const { merchantId, currency, country, paymentMethod, cardNetwork, primaryProvider } = row;
  return (
    `${textOf(merchantId)},${textOf(currency)},${textOf(country)},${paymentMethod},${cardNetwork ?? ""},` +
    `${primaryProvider === null ? "" : textOf(primaryProvider)}|${row.decisionMode},${row.action}`
  );
}
