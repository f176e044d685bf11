import type { Role, Scope } from "../../domain/vocabulary/vocabulary.js";
import type { JsonSchema } from "./body-validator.js";

/** The part of a route that API clients need to know. path/front/route.ts has the rest. */
export interface DocumentedRoute {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** A path parameter begins with a colon. */
  path: string;
  access: "public" | "attempt" | { scope: Scope } | { roles: readonly Role[] } | { platformAdmin: true };
  /** The most bytes of the route's JSON body. Null or absent if it has no body. */
  bodyBytesMax?: number | null;
  /** True if a request without a body counts as one with `{}`. */
  bodyIsOptional?: true;
  /** `replay`: a session that repeats a request with the same Idempotency-Key gets the first answer. */
  onRepeat?: "replay" | "again";
  /** `nobody`: unknown query parameters are ignored. `handler`: the handler refuses them. */
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

/** An answer that an operation's handler can give. */
export interface Answer {
  description: string;
  /** Absent if the answer has no body. */
  schema?: JsonSchema;
  /** JSON by default. A list names the possible types. */
  contentType?: string | readonly string[];
  /** The headers in addition to `x-request-id`. */
  headers?: Readonly<Record<string, Parameter>>;
}

/** The error statuses for which a handler can have its own reasons. */
export type RefusalStatus = 401 | 403 | 404 | 409 | 412 | 413 | 415 | 503;

/**
 * The documentation of a route. Its permissions, the size and type of its body and its errors are derived from the
 * route itself, so that the documentation cannot contradict it.
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
  /** The handler's reason for each status. */
  refuses?: Readonly<Partial<Record<RefusalStatus, string>>>;
  /** CH-18: true if the operation may read rows that only ClickHouse has. */
  readsOlderLog?: true;
  /** True if the operation can answer policy_validation_failed. */
  judgesPolicy?: true;
  /** The rate limit, if it does not follow from the permissions. */
  rateLimit?: string;
  /** The credential, if it is neither an API key nor a session. */
  security?: "webhookSignature";
  /** The server, if it differs from that of all other operations. */
  server?: { url: string; description: string };
}

/** The operations by `METHOD /path`, with the path as in the routes. */
export type Operations = Readonly<Record<string, Operation>>;

/** A service's recorded answers to one operation. `npm run record-examples` writes them. */
export interface OperationExamples {
  /** The body of the first request that succeeded. Absent if the operation takes no body. */
  readonly request?: unknown;
  /** The body of the first reply with each status. */
  readonly responses: Readonly<Record<string, unknown>>;
}

/** Examples by operationId. */
export type Examples = Readonly<Record<string, OperationExamples>>;
