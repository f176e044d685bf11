import type { Role, Scope } from "../../domain/vocabulary/vocabulary.js";
import type { JsonSchema } from "./body-validator.js";

/** The part of a route that callers have to know. path/front/route.ts has the rest. */
export interface DocumentedRoute {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With `:parameters`. */
  path: string;
  access: "public" | "attempt" | { scope: Scope } | { roles: readonly Role[] } | { platformAdmin: true };
  /** The most bytes of its JSON body. Null or absent if it has none. */
  bodyBytesMax?: number | null;
  /** `replay`: a session's second request with the same Idempotency-Key gets the first one's answer. */
  onRepeat?: "replay" | "again";
  /** `nobody`: its query is ignored. */
  refusesUnknownQuery?: "handler" | "nobody";
}

export const TAGS = {
  Decisions: "One instruction for each payment, and the log of what was decided.",
  Outcomes: "What became of a decision.",
  "Provider health": "Cached snapshots; reading them never probes a provider.",
  Policies: "A merchant's rules: written, tried on samples and on history, published and rolled back.",
  Pricing: "What providers charge: contracts, and fees that webhooks reported.",
  "Provider webhooks": "Signed reports of providers, by Standard Webhooks.",
  Accounts: "Sign-in of the dashboard.",
  "API keys": "Keys of merchant backends.",
  Team: "Members of a workspace, and invitations.",
  Integrations: "Signing secrets of provider webhooks.",
  Insight: "Analytics and alerts.",
  Events: "What happens is sent to addresses of the workspace, by Standard Webhooks.",
  Exports: "The log, the audit log and usage as files.",
  Administration: "Workspace, merchants, audit log, usage and drills.",
  Platform: "For the administrator of the whole deployment.",
  Operations: "Life signs, metrics and this document.",
} as const;
export type Tag = keyof typeof TAGS;

export interface Parameter {
  schema: JsonSchema;
  description: string;
  required?: true;
}

/** A status that an operation itself answers with. */
export interface Answer {
  description: string;
  /** Absent: no body. */
  schema?: JsonSchema;
  /** JSON unless named. Several: one of them, as the resource is. */
  contentType?: string | readonly string[];
  /** The headers besides `x-request-id`. */
  headers?: Readonly<Record<string, Parameter>>;
}

/** The statuses of plain errors for which handlers have reasons of their own. */
export type RefusalStatus = 401 | 403 | 404 | 409 | 412 | 413 | 415 | 503;

/**
 * The documentation of a route. Its permissions, the size and type of its body and the resulting errors are taken from
 * the route itself, so that they cannot be documented wrongly.
 */
export interface Operation {
  operationId: string;
  tag: Tag;
  summary: string;
  description?: string;
  path?: Readonly<Record<string, Parameter>>;
  query?: Readonly<Record<string, Parameter>>;
  headers?: Readonly<Record<string, Parameter>>;
  body?: JsonSchema;
  answers: Readonly<Record<number, Answer>>;
  /** Why, for each status. */
  refuses?: Readonly<Partial<Record<RefusalStatus, string>>>;
  /** CH-18: may read what only ClickHouse has. */
  readsOlderLog?: true;
  /** Can answer policy_validation_failed. */
  judgesPolicy?: true;
  /** Its rate limit, unless that follows from its permissions. */
  rateLimit?: string;
  /** The credential that replaces an API key or a session. */
  security?: "webhookSignature";
  /** The server, if it differs from that of all other operations. */
  server?: { url: string; description: string };
}

/** The operations by `METHOD /path`, with the routes' spelling. */
export type Operations = Readonly<Record<string, Operation>>;

/** The recorded answers of a service to one operation. `npm run record-examples` writes them. */
export interface OperationExamples {
  /** The body of the first request that succeeded. Absent if the operation has none. */
  readonly request?: unknown;
  /** The body of the first reply by status. */
  readonly responses: Readonly<Record<string, unknown>>;
}

/** By operationId. */
export type Examples = Readonly<Record<string, OperationExamples>>;
