import type { ReviewResolutionBody } from "../decisions/wire/decision-log-schema.js";
import { modeParameter } from "../../platform/wire/query-schema.js";
import { parseReviewBody } from "./wire.js";
import { resolveReview, type ReviewRequest, type ReviewResult } from "./queries.js";
import { type ReviewBody, toReviewBody } from "../decisions/service.js";
import { isId } from "../../domain/ids/ids.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { READ_UNAVAILABLE } from "../../platform/http/api-error.js";
import { Query } from "../../platform/http/query.js";
import type { Route, SessionRoute } from "../../path/front/route.js";
import type { DatabaseRead } from "../../platform/postgres/database-read.js";
import type { TenantDb } from "../../platform/postgres/tenant-db.js";

export interface ReviewRoutesParts {
  tenants: TenantDb;
  read: DatabaseRead;
  /** Called before and after a review is stored. */
  noteReview(): void;
  /** Unix milliseconds. */
  now(): number;
}

/** The routes that review held decisions. */
export function reviewRoutes({ tenants, read, noteReview, now }: ReviewRoutesParts): Route[] {
  const resolve: Resolve = (request) => {
    // The commit comes later, so an aggregate that is computed meanwhile must not be cached.
    noteReview();
    return read(() => resolveReview(tenants.of(request.workspaceId), { ...request, nowMs: now() })).finally(
      noteReview,
    );
  };
  return [decisionReviewRoute(resolve)];
}

/**
 * Stores a review after everything that this node has acknowledged. Resolves to `unavailable` while PostgreSQL is away.
 */
type Resolve = (request: Omit<ReviewRequest, "nowMs">) => Promise<ReviewResult | "unavailable">;

/** POST /v1/decisions/:decisionId/review: 200 `{decision_id, review}`. */
function decisionReviewRoute(resolve: Resolve): SessionRoute {
  return {
    method: "POST",
    onRepeat: "replay",
    path: "/v1/decisions/:decisionId/review",
    access: { roles: ["owner", "admin", "analyst"] },
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    query: ["mode"],
    async handle(exchange, { workspaceId, userId }, [decisionId = ""], text) {
      const query = new Query(exchange.head.query);
      const mode = query.oneOf("mode", modeParameter) ?? "live";
      const body = parseReviewBody(text);
      const issues = [...query.issues, ...(body.ok ? [] : body.issues)];
      if (!body.ok || issues.length > 0) return exchange.fail({ kind: "invalid", issues });
      const { resolution, note = null } = body.value;
      const result = isId(decisionId, "dec")
        ? await resolve({ workspaceId, mode, decisionId, resolution, note, resolvedBy: userId })
        : ({ kind: "not_found" } as const);
      if (result === "unavailable") return exchange.fail(READ_UNAVAILABLE);
      switch (result.kind) {
        case "not_found":
          return exchange.fail({ kind: "not_found", message: "Decision not found" });
        case "conflict":
          return exchange.fail({ kind: "conflict", message: "Decision is not an unresolved hold" });
        case "resolved": {
          const review: ReviewBody = toReviewBody(result.review);
          return exchange.send(
            200,
            JSON.stringify({ decision_id: decisionId, review } satisfies ReviewResolutionBody),
          );
        }
      }
    },
  };
}
