import type { Role, Scope } from "../../domain/vocabulary/vocabulary.js";
import type { DocumentedRoute, Operation } from "../../platform/wire/operation.js";

/** AUTH-1: the credentials that the service accepts. */
export const SECURITY_SCHEMES = {
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "x-api-key",
    description:
      "Of a merchant's backend: pi_test_… or pi_live_…, which is the mode. `x-access` names the scope it needs.",
  },
  sessionCookie: {
    type: "apiKey",
    in: "cookie",
    name: "payinference_session",
    description:
      "Of the dashboard. What changes something must come from the same origin. `x-access` names the roles that may.",
  },
  sessionToken: {
    type: "http",
    scheme: "bearer",
    description: "The same session, as `authorization: Bearer`.",
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

/** The credentials that may use an operation. OpenAPI itself has scopes for OAuth only. */
export interface Access {
  /** The scope that an API key needs. */
  scope?: Scope;
  /** The roles, one of which a session must have. */
  roles?: readonly (Role | "platform_admin")[];
}

/** Null: the operation needs no key and no session. `roles` are the roles whose sessions have the route's scope. */
export function accessOf({ access }: DocumentedRoute, roles: readonly Role[]): Access | null {
  if (typeof access === "string") return null;
  if ("platformAdmin" in access) return { roles: ["platform_admin"] };
  if ("roles" in access) return { roles: access.roles };
  return roles.length === 0 ? { scope: access.scope } : { scope: access.scope, roles };
}

/** The alternative credentials. One of them is enough. An operation without alternatives is open to anyone. */
export function securityOf(access: Access | null, { security }: Operation): Requirement[] {
  if (security !== undefined) return [{ [security]: [] }];
  return [
    ...(access?.scope === undefined ? [] : [{ apiKey: [] }]),
    ...(access?.roles === undefined ? [] : [{ sessionCookie: [] }, { sessionToken: [] }]),
  ];
}

/** Describes in a sentence or two what `securityOf` expresses. */
export function accessText(access: Access | null, { security }: Operation): string {
  if (security !== undefined) return "For whoever can sign it.";
  if (access === null) return "Open to anyone.";
  const { scope, roles } = access;
  return [
    ...(scope === undefined ? [] : [`An API key needs the scope \`${scope}\`.`]),
    ...(roles === undefined ? [] : [`A session needs one of the roles: ${roles.join(", ")}.`]),
  ].join(" ");
}
