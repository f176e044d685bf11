import { DECISION_MODES } from "../../../domain/vocabulary/vocabulary.js";
import { CopyBuffer } from "../../../platform/postgres/copy-buffer.js";
import type { TransactionStep } from "../../../platform/postgres/copy-transaction.js";
import { rowTimeMs, type DecisionRow, type RowId, type RowText } from "./decision-row.js";
import { HOUR_MS } from "./rollup-columns.js";
import { ENFORCED_AT, OUTCOMES_AT, SHADOWED_AT, UNRESOLVED_AT } from "./facet-counters.js";

/**
 * facet_deltas has two text columns with entries separated by semicolons. An entry is a facet, a bar, and numbers
 * separated by commas. A facet is merchant, currency, country, payment method, card network and primary provider,
 * separated by commas. A missing value is empty, and enum values are positions.
 *
 * - `decided` has decision mode, action, and the number of decisions.
 * - `followed` has the action, the stored outcome, the outcome that it replaced, and 1 if the decision was unresolved
 *   before. The outcome of an approved review is empty.
 */
const [BAR, COMMA, SEMICOLON] = ["|", ",", ";"];

/** This many entries mostly fit into a page, so that PostgreSQL does not store them out of line. */
const ENTRIES_MAX = 100;

const SHADOW = DECISION_MODES.indexOf("shadow");
const DIGIT_0 = "0".charCodeAt(0);

/** The texts of one row of facet_deltas. */
export interface FacetDelta {
  decided: string | null;
  followed: string | null;
}

/** `facet` is the text of the facet's six fields. */
export type VisitDelta = (facet: string, counter: number, number: number) => void;

/** Calls `visit` for each change of a count. */
export function eachDelta({ decided, followed }: FacetDelta, visit: VisitDelta): void {
  eachEntry(decided, (facet, [decisionMode, action, decisions]) => {
    if (decisionMode === SHADOW) visit(facet, SHADOWED_AT[action as number] as number, decisions as number);
    else {
      visit(facet, ENFORCED_AT[action as number] as number, decisions as number);
      visit(facet, UNRESOLVED_AT[action as number] as number, decisions as number);
    }
  });
  eachEntry(followed, (facet, [action, outcome, replaced, wasUnresolved]) => {
    if (wasUnresolved === 1) visit(facet, UNRESOLVED_AT[action as number] as number, -1);
    if (outcome !== null) visit(facet, OUTCOMES_AT[outcome as number] as number, 1);
    if (replaced !== null) visit(facet, OUTCOMES_AT[replaced as number] as number, -1);
  });
}

/**
 * Calls `visit` for each entry with its numbers. An empty number is null. Each call reuses the same array of numbers.
 */
function eachEntry(
  text: string | null,
  visit: (facet: string, numbers: readonly (number | null)[]) => void,
): void {
  if (text === null) return;
  const numbers: (number | null)[] = [];
  for (let start = 0; start < text.length;) {
    const bar = text.indexOf(BAR, start);
    numbers.length = 0;
    let number: number | null = null;
    let at = bar + 1;
    for (; at < text.length && text[at] !== SEMICOLON; at++) {
      if (text[at] === COMMA) {
        numbers.push(number);
        number = null;
      } else number = (number ?? 0) * 10 + text.charCodeAt(at) - DIGIT_0;
    }
    numbers.push(number);
    visit(text.slice(start, bar), numbers);
    start = at + 1;
  }
}

interface Delta {
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
    const deltas: Delta[] = [];
    const open = new Map<string, Delta>();
    for (const row of rows) {
      const hour = Math.floor(rowTimeMs(row.decisionId) / HOUR_MS);
      const key = `${textOf(row.workspaceId)}\0${row.mode}\0${hour}`;
      let delta = open.get(key);
      if (delta === undefined || delta.decisions.size === ENTRIES_MAX) {
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

  #write({ workspaceId, mode, hour, decisions }: Delta): void {
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

/** latin1 suffices, because merchant ids, provider ids and codes are ASCII. */
function textOf(text: RowText): string {
  return typeof text === "string" ? text : text.toString("latin1");
}
