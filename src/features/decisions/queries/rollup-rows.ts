import { idToHex } from "../../../domain/ids/ids.js";
import { MODES } from "../../../domain/vocabulary/vocabulary.js";
import type { DecisionScope } from "../../../domain/vocabulary/decision-scope.js";

/** $1 to $3 of the conditions below; rollup rows of the whole workspace have no merchant. */
export function rollupKey({ workspaceId, mode, merchantScope }: DecisionScope): unknown[] {
  return [idToHex(workspaceId), MODES.indexOf(mode), merchantScope ?? ""];
}

/** The rows of a scope in a folded table. */
export const FOLDED = "workspace_id = $1 and mode = $2 and merchant_id = $3";
/** And in the deltas that are not folded yet. */
export const PENDING = "workspace_id = $1 and mode = $2 and ($3 = '' or merchant_id = $3)";
