import type { Role, Scope } from "../../domain/vocabulary/vocabulary.js";

/** AUTH-13: do not give a role the scopes that decide or report outcomes. */
const ROLE_SCOPES = {
  owner: ["health:read", "policy:read", "policy:write"],
  admin: ["health:read", "policy:read", "policy:write"],
  developer: ["health:read", "policy:read", "policy:write"],
  analyst: ["health:read", "policy:read"],
} as const satisfies Record<Role, readonly Scope[]>;

export function roleHasScope(role: Role, scope: Scope): boolean {
  const scopes: readonly Scope[] = ROLE_SCOPES[role];
  return scopes.includes(scope);
}
