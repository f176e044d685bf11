import type { Role } from "../../../shared/vocabulary.js";

/** contract §3: whose sessions have policy:write. */
export const WRITERS = ["owner", "admin", "developer"] as const satisfies readonly Role[];
