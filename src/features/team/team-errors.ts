import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { ApiError } from "../../platform/http/api-error.js";

/** The reasons why a member stays unchanged (ACC-9, /v1/team/:userId). */
export const TEAM_ERRORS = {
  not_found: { kind: "not_found", message: "Member not found" },
  forbidden: { kind: "missing_role" },
  last_owner: { kind: "conflict", message: "The last owner of a workspace stays" },
} as const satisfies Record<string, ApiError>;

/** A workspace with all its members: nobody is invited, and nobody joins. */
export const TEAM_FULL: ApiError = {
  kind: "conflict",
  message: `A workspace has at most ${LIMITS.membersMax} members`,
};
