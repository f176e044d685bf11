import { idToHex } from "../../../domain/ids/ids.js";
import { ACTIONS, MODES, type Action } from "../../../domain/vocabulary/vocabulary.js";
import type { DecisionScope } from "./decision-scope.js";
import { ENFORCE_COLUMNS, SHADOW_COLUMNS } from "../../../path/writer/copy/rollup-columns.js";

/** $1 to $3 of the conditions below; rollup rows of the whole workspace have no merchant. */
export function rollupKey({ workspaceId, mode, merchantScope }: DecisionScope): unknown[] {
  return [idToHex(workspaceId), MODES.indexOf(mode), merchantScope ?? ""];
}

/** The rows of a scope in a folded table. */
export const FOLDED = "workspace_id = $1 and mode = $2 and merchant_id = $3";
/** And in the deltas that are not folded yet. */
export const PENDING = "workspace_id = $1 and mode = $2 and ($3 = '' or merchant_id = $3)";

/** A row of sums as it comes: numbers as text. */
export type SumsRow = Record<string, string>;

export function countsOf<K extends string>(
  names: readonly K[],
  columns: readonly string[],
  row: SumsRow,
): Record<K, number> {
  const counts = names.map((name, position) => [name, numberIn(row, columns[position])]);
  return Object.fromEntries(counts) as Record<K, number>;
}

/** Decisions by action, enforce and shadow together. */
export function actionsIn(row: SumsRow): Record<Action, number> {
  const enforced = countsOf(ACTIONS, ENFORCE_COLUMNS, row);
  const shadow = countsOf(ACTIONS, SHADOW_COLUMNS, row);
  const actions = ACTIONS.map((action) => [action, enforced[action] + shadow[action]]);
  return Object.fromEntries(actions) as Record<Action, number>;
}

export function numberIn(row: SumsRow, column: string | undefined): number {
  return column === undefined ? 0 : Number(row[column] ?? 0);
}
