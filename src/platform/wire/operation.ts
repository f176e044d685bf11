import type { Role, Scope } from "../../domain/vocabulary/vocabulary.js";
import type { JsonSchema } from "./body-validator.js";

/** What a route says of itself, as far as a caller has to know; path/front/route.ts has the rest. */
export interface DocumentedRoute {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With `:parameters`. */
  path: string;
  access: "public" | "attempt" | { scope: Scope } | { roles: readonly Role[] } | { platformAdmin: true };
  /** Bytes of the JSON body it takes, or null or absent for none. */
  bodyBytesMax?: number | null;
  /** `replay`: a session's second request with one Idempotency-Key gets the first one's answer. */
  onRepeat?: "replay" | "again";
  /** `nobody`: whatever stands in its query is passed over. */
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

/** One status that an operation answers with of its own accord. */
export interface Answer {
  description: string;
  /** Absent: no body. */
  schema?: JsonSchema;
  /** JSON unless named. Several: one of them, as the resource is. */
  contentType?: string | readonly string[];
  /** Beside `x-request-id`. */
  headers?: Readonly<Record<string, Parameter>>;
}

/** The statuses of plain errors that a handler has reasons of its own for. */
export type RefusalStatus = 401 | 403 | 404 | 409 | 412 | 413 | 415 | 503;

/**
 * What is documented of a route beside what the route says itself. Who may use it, the size and type of its body and
 * the errors that follow from those are taken from the route, so that they cannot be said wrong.
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
  /** What limits it, where that does not follow from who may use it. */
  rateLimit?: string;
  /** What stands in for an API key or a session. */
  security?: "webhookSignature";
  /** Where it is served, when that is not where all else is. */
  server?: { url: string; description: string };
}

/** By `METHOD /path`, as the routes have them. */
export type Operations = Readonly<Record<string, Operation>>;

/** What a service answered to one operation. `npm run record-examples` writes it. */
export interface OperationExamples {
  /** The body of the first request that succeeded. Absent where the operation takes none. */
  readonly request?: unknown;
  /** The body of the first reply by status. */
  readonly responses: Readonly<Record<string, unknown>>;
}

/** By operationId. */
export type Examples = Readonly<Record<string, OperationExamples>>;
