import type { ReviewResolutionBody } from "../decisions/wire/decision-log-schema.js";
import { modeParameter } from "../../platform/wire/query-schema.js";
import type { PlainErrorBody } from "../../platform/wire/error-schema.js";
import { parseReviewBody, parseReviewsBody } from "./wire/review-schema.js";
import type { ReviewResultsBody } from "./wire/review-response-schema.js";
import { resolveReviews, type ReviewRequest, type ReviewResult } from "./queries.js";
import { type ReviewBody, toReviewBody } from "../decisions/service.js";
import { isId } from "../../domain/ids/ids.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { errorResponse, READ_UNAVAILABLE, type ApiError } from "../../platform/http/api-error.js";
import { Query } from "../../platform/http/query.js";
import type { Route, SessionRoute } from "../../path/front/route.js";
import type { DatabaseRead } from "../../platform/postgres/database-read.js";
import type { TenantDb } from "../../platform/postgres/tenant-db.js";

export interface ReviewRoutesParts {
  tenants: TenantDb;
  read: DatabaseRead;
  /** Called before and after reviews are stored. */
  noteReview(): void;
  /** The 26 characters of a new id. */
  nextId(): string;
  /** Unix milliseconds. */
  now(): number;
}

/** The routes that review held decisions. */
export function reviewRoutes({ tenants, read, noteReview, nextId, now }: ReviewRoutesParts): Route[] {
  const resolve: Resolve = (request) => {
    // The commit comes later, so an aggregate that is computed before it must not be cached.
    noteReview();
    return read(() =>
      resolveReviews(tenants.of(request.workspaceId), { ...request, nowMs: now() }, nextId),
    ).finally(noteReview);
  };
  return [decisionReviewRoute(resolve), decisionReviewsRoute(resolve)];
}

/**
 * Stores reviews after everything that this node has acknowledged. Resolves to `unavailable` while PostgreSQL is away.
 */
type Resolve = (request: Omit<ReviewRequest, "nowMs">) => Promise<ReviewResult[] | "unavailable">;

const REVIEWERS = { roles: ["owner", "admin", "analyst"] } as const;

/** The error of each refused review, for one decision and for many. */
const REFUSALS: Readonly<Record<Exclude<ReviewResult["kind"], "resolved">, ApiError>> = {
  not_found: { kind: "not_found", message: "Decision not found" },
  conflict: { kind: "conflict", message: "Decision is not an unresolved hold" },
  set_aside: READ_UNAVAILABLE,
};

/** POST /v1/decisions/:decisionId/review: 200 `{decision_id, review}`. */
function decisionReviewRoute(resolve: Resolve): SessionRoute {
  return {
    method: "POST",
    onRepeat: "replay",
    path: "/v1/decisions/:decisionId/review",
    access: REVIEWERS,
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    query: ["mode"],
    async handle(exchange, { workspaceId, userId }, [decisionId = ""], text) {
      const query = new Query(exchange.head.query);
      const mode = query.oneOf("mode", modeParameter) ?? "live";
      const body = parseReviewBody(text);
      const issues = [...query.issues, ...(body.ok ? [] : body.issues)];
      if (!body.ok || issues.length > 0) return exchange.fail({ kind: "invalid", issues });
      const { resolution, note = null } = body.value;
      if (!isId(decisionId, "dec")) return exchange.fail(REFUSALS.not_found);
      const decisionIds = [decisionId];
      const results = await resolve({
        workspaceId,
        mode,
        decisionIds,
        resolution,
        note,
        resolvedBy: userId,
      });
      if (results === "unavailable") return exchange.fail(READ_UNAVAILABLE);
      const [result = { kind: "not_found" }] = results;
      if (result.kind !== "resolved") return exchange.fail(REFUSALS[result.kind]);
      const review: ReviewBody = toReviewBody(result.review);
      exchange.send(200, JSON.stringify({ decision_id: decisionId, review } satisfies ReviewResolutionBody));
    },
  };
}

/** POST /v1/decisions/reviews: 200 `{results}`, one for each decision. */
function decisionReviewsRoute(resolve: Resolve): SessionRoute {
  return {
    method: "POST",
    onRepeat: "replay",
    path: "/v1/decisions/reviews",
    access: REVIEWERS,
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    query: ["mode"],
    async handle(exchange, { workspaceId, userId }, _params, text) {
      const query = new Query(exchange.head.query);
      const mode = query.oneOf("mode", modeParameter) ?? "live";
      const body = parseReviewsBody(text);
      const issues = [...query.issues, ...(body.ok ? [] : body.issues)];
      if (!body.ok || issues.length > 0) return exchange.fail({ kind: "invalid", issues });
      const { decision_ids: decisionIds, resolution, note = null } = body.value;
      const found = await resolve({
        workspaceId,
        mode,
        decisionIds,
        resolution,
        note,
        resolvedBy: userId,
      });
      if (found === "unavailable") return exchange.fail(READ_UNAVAILABLE);
      const results = found.map((result, index) => ({
        decision_id: decisionIds[index] as string,
        ...resultBody(result),
      }));
      exchange.send(200, JSON.stringify({ results } satisfies ReviewResultsBody));
    },
  };
}

/** The refusal is the body that a review of the decision alone gets. */
function resultBody(result: ReviewResult): { review: ReviewBody | null; error: PlainErrorBody | null } {
  if (result.kind === "resolved") return { review: toReviewBody(result.review), error: null };
  return { review: null, error: JSON.parse(errorResponse(REFUSALS[result.kind]).body) as PlainErrorBody };
}
