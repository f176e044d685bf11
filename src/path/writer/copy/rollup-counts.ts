import { ACTIONS, type Action } from "../../../domain/vocabulary/vocabulary.js";
import { ENFORCE_COLUMNS, SHADOW_COLUMNS } from "./rollup-columns.js";

/** A row of sums as PostgreSQL returns it. Each number is text. */
export type SumsRow = Record<string, string>;

export function countsOf<K extends string>(
  names: readonly K[],
  columns: readonly string[],
  row: SumsRow,
): Record<K, number> {
  const counts = names.map((name, position) => [name, numberIn(row, columns[position])]);
  return Object.fromEntries(counts) as Record<K, number>;
}

/** The decisions by action, with enforce and shadow summed. */
export function actionsIn(row: SumsRow): Record<Action, number> {
  const enforced = countsOf(ACTIONS, ENFORCE_COLUMNS, row);
  const shadow = countsOf(ACTIONS, SHADOW_COLUMNS, row);
  const actions = ACTIONS.map((action) => [action, enforced[action] + shadow[action]]);
  return Object.fromEntries(actions) as Record<Action, number>;
}

export function numberIn(row: SumsRow, column: string | undefined): number {
  return column === undefined ? 0 : Number(row[column] ?? 0);
}
