import type { Role } from "../../../domain/vocabulary/vocabulary.js";

/** AUTH-13: the roles whose sessions have policy:write. */
export const WRITERS = ["owner", "admin", "developer"] as const satisfies readonly Role[];
