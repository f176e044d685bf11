import { idToHex } from "../../../domain/ids/ids.js";
import { MODES } from "../../../domain/vocabulary/vocabulary.js";
import type { DecisionScope } from "../../../domain/vocabulary/decision-scope.js";

/** The values of $1 to $3 in the conditions below. A rollup row of the whole workspace has '' as its merchant. */
export function rollupKey({ workspaceId, mode, merchantScope }: DecisionScope): unknown[] {
  return [idToHex(workspaceId), MODES.indexOf(mode), merchantScope ?? ""];
}

/** Selects the rows of a scope in a folded table. */
export const FOLDED = "workspace_id = $1 and mode = $2 and merchant_id = $3";
/** Selects the rows of a scope in the deltas that are not folded yet. */
export const PENDING = "workspace_id = $1 and mode = $2 and ($3 = '' or merchant_id = $3)";
