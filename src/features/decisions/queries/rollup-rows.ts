import { idToHex } from "../../../domain/ids/ids.js";
import { MODES } from "../../../domain/vocabulary/vocabulary.js";
import type { DecisionScope } from "../../../domain/vocabulary/decision-scope.js";
import { ERASED_PREFIX } from "../../../path/writer/copy/rollup-columns.js";

/** The values of $1 to $3 in the conditions below. A rollup row of the whole workspace has '' as its merchant. */
export function rollupKey({ workspaceId, mode, merchantScope }: DecisionScope): unknown[] {
  return [idToHex(workspaceId), MODES.indexOf(mode), merchantScope ?? ""];
}

/** Selects the rows of a scope in a folded table. */
export const FOLDED = "workspace_id = $1 and mode = $2 and merchant_id = $3";
/** Selects the rows of a scope in the deltas that are not folded yet. */
export const PENDING = "workspace_id = $1 and mode = $2 and ($3 = '' or merchant_id = $3)";

const ERASED_NAME = `${ERASED_PREFIX}ers_`;
/** True in SQL for the merchant of rows that an erased merchant has left. */
export const IS_ERASED = `starts_with(merchant_id, '${ERASED_NAME}')`;

/**
 * Selects the rows of erased merchants, which the rows of the whole workspace count too. Their decisions are gone, so a
 * list must not count them. No row matches for the scope of one merchant. An id of 128 bits begins with a digit from 0
 * to 7, so the range uses the index with any collation. `starts_with` makes it exact.
 */
export const ERASED = `workspace_id = $1 and mode = $2 and $3 = ''
  and merchant_id >= '${ERASED_NAME}0' and merchant_id < '${ERASED_NAME}8' and ${IS_ERASED}`;

/** The same for `rollup_hours`. Each name gets its own range of the index, so that a condition on `hour` bounds it. */
export const ERASED_HOURS = `workspace_id = $1 and mode = $2
  and merchant_id = any (array(select merchant_id from rollup_totals where ${ERASED}))`;

/** True for the merchant of such rows. */
export const isErased = (merchantId: string): boolean => merchantId.startsWith(ERASED_NAME);
