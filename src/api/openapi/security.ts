import type { Role } from "../../shared/vocabulary.js";
import type { DocumentedRoute, Operation } from "./operation.js";

/** contract §3 "Credentials". */
export const SECURITY_SCHEMES = {
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "x-api-key",
    description:
      "Of a merchant's backend: pi_test_… or pi_live_…, which is the mode. The names beside it are the scopes it needs.",
  },
  sessionCookie: {
    type: "apiKey",
    in: "cookie",
    name: "payinference_session",
    description:
      "Of the dashboard. What changes something must come from the same origin. The names beside it are the roles that may.",
  },
  sessionToken: {
    type: "http",
    scheme: "bearer",
    description: "The same session, as `authorization: Bearer`. The names beside it are the roles that may.",
  },
  webhookSignature: {
    type: "apiKey",
    in: "header",
    name: "webhook-signature",
    description:
      "Standard Webhooks: v1, and the base64 of the HMAC-SHA256 of id.timestamp.body; several with spaces between.",
  },
} as const;

type Requirement = Partial<Record<keyof typeof SECURITY_SCHEMES, readonly string[]>>;

/** One of these is enough; none: open to anyone. `roles` are those whose sessions have the route's scope. */
export function securityOf(
  { access }: DocumentedRoute,
  { security }: Operation,
  roles: readonly Role[],
): Requirement[] {
  if (security !== undefined) return [{ [security]: [] }];
  if (typeof access === "string") return [];
  if ("platformAdmin" in access) return sessionOf(["platform_admin"]);
  if ("roles" in access) return sessionOf(access.roles);
  return [{ apiKey: [access.scope] }, ...(roles.length === 0 ? [] : sessionOf(roles))];
}

function sessionOf(roles: readonly string[]): Requirement[] {
  return [{ sessionCookie: roles }, { sessionToken: roles }];
}
