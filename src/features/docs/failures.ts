import type { JsonSchema } from "../../platform/wire/body-validator.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import {
  plainErrorSchema,
  policyValidationErrorSchema,
  rateLimitedSchema,
  validationErrorSchema,
} from "../../platform/wire/error-schema.js";
import type { Answer, DocumentedRoute, Operation } from "../../platform/wire/operation.js";

/** A failing status of an operation, with its reasons and bodies. */
export interface Failure {
  reasons: string[];
  headers?: Answer["headers"];
  schemas: JsonSchema[];
}

const RETRY_AFTER: Answer["headers"] = {
  "retry-after": {
    schema: { type: "integer", minimum: 1 },
    description: "Seconds. Present with older_log_unavailable, and while the workspace is being moved.",
  },
};

/**
 * ERR-3: lists every failure that a route can answer with. Most follow from the route's access and body. The operation
 * declares the others.
 */
export function failuresOf(route: DocumentedRoute, operation: Operation): Map<number, Failure> {
  const failures = new Map<number, Failure>();
  const add = (status: number, reason: string, schema: JsonSchema = plainErrorSchema): void => {
    const failure = failures.get(status) ?? { reasons: [], schemas: [] };
    failures.set(status, failure);
    failure.reasons.push(reason);
    if (!failure.schemas.includes(schema)) failure.schemas.push(schema);
  };
  const { access } = route;

  // ERR-16: an unknown query parameter is refused, also on routes that take none.
  if (route.refusesUnknownQuery !== "nobody") {
    add(400, "What was sent is not valid; it never reached the engine.", validationErrorSchema);
  }
  if (operation.judgesPolicy === true) {
    add(400, "The policy is rejected.", policyValidationErrorSchema);
  }
  add(400, "The request's framing is malformed.");
  if (typeof access === "object") {
    add(401, "Missing or invalid credentials.");
    add(403, refusalOf(access));
    add(429, "Over the limit of the key or session, or of unknown keys of the source.", rateLimitedSchema);
    add(
      503,
      "Credentials cannot be checked, or what is asked for cannot be read or written right now, or too many ask for it at once.",
    );
  }
  if (route.onRepeat === "replay") {
    add(409, "The first request with this Idempotency-Key has no answer: nobody knows what it came to.");
  }
  if (access === "attempt") {
    add(
      429,
      "Over the limit of sign-ins and registrations of the source, or of wrong passwords of the account.",
      rateLimitedSchema,
    );
  }
  if (operation.rateLimit !== undefined)
    add(429, `Over the limit. ${operation.rateLimit}`, rateLimitedSchema);
  if (typeof route.bodyBytesMax === "number") {
    add(413, `The body is larger than ${route.bodyBytesMax} bytes.`);
    add(415, "The body is not application/json in UTF-8, or it has a content-encoding.");
  } else if (route.method !== "GET" && access !== "public") {
    // ERR-20
    add(413, `A body, which may only be an empty object, is larger than ${LIMITS.smallBodyBytesMax} bytes.`);
    add(415, "A body, which may only be an empty object, is not application/json in UTF-8, or is encoded.");
  }
  if (operation.readsOlderLog === true) {
    add(503, "The read goes beyond RETENTION_DAYS, and ClickHouse does not answer (older_log_unavailable).");
    (failures.get(503) as Failure).headers = RETRY_AFTER;
  }
  for (const [status, reason] of Object.entries(operation.refuses ?? {})) add(Number(status), reason);
  add(500, "An error of the service: treat it like a timeout, and fall back.");
  return failures;
}

function refusalOf(access: Exclude<DocumentedRoute["access"], string>): string {
  const tenant = "or the workspace is suspended";
  if ("scope" in access) return `The credential lacks the scope ${access.scope}, ${tenant}.`;
  if ("roles" in access) return `Not a session, or not of the roles ${access.roles.join(", ")}, ${tenant}.`;
  return `Not the platform's administrator, ${tenant}.`;
}
