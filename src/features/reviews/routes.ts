import type { ReviewResolutionBody } from "../decisions/wire/decision-log-schema.js";
import { modeParameter } from "../../platform/wire/query-schema.js";
import type { PlainErrorBody } from "../../platform/wire/error-schema.js";
import { parseReviewBody, parseReviewsBody, type ReviewsBody } from "./wire/review-schema.js";
import type { ReviewResultsBody } from "./wire/review-response-schema.js";
import { resolveReviews, type ReviewRequest, type ReviewResult } from "./queries.js";
import { type ReviewBody, toReviewBody } from "../decisions/service.js";
import { isId } from "../../domain/ids/ids.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { errorResponse, READ_UNAVAILABLE, type ApiError } from "../../platform/http/api-error.js";
import type { Exchange } from "../../platform/http/exchange.js";
import { Query } from "../../platform/http/query.js";
import type { Principal } from "../../path/access/session.js";
import type { Route, SessionRoute } from "../../path/front/route.js";
import type { Validated } from "../../platform/wire/body-validator.js";
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
    // An aggregate that is computed before the commit must not stay cached, so `noteReview` runs before and after it.
    noteReview();
    return read(() =>
      resolveReviews(tenants.of(request.workspaceId), { ...request, nowMs: now() }, nextId),
    ).finally(noteReview);
  };
  return [decisionReviewRoute(resolve), decisionReviewsRoute(resolve)];
}

/**
 * Stores reviews once everything that this node has acknowledged is stored. Resolves to `unavailable` while PostgreSQL
 * is away.
 */
type Resolve = (request: Omit<ReviewRequest, "nowMs">) => Promise<ReviewResult[] | "unavailable">;

const REVIEWERS = { roles: ["owner", "admin", "analyst"] } as const;

/** The error of each refused review, for one decision and for many. */
const REFUSALS: Readonly<Record<Exclude<ReviewResult["kind"], "resolved">, ApiError>> = {
  not_found: { kind: "not_found", message: "Decision not found" },
  conflict: { kind: "conflict", message: "Decision is not an unresolved hold" },
  set_aside: READ_UNAVAILABLE,
};

const REVIEW = {
  method: "POST",
  onRepeat: "replay",
  access: REVIEWERS,
  bodyBytesMax: LIMITS.smallBodyBytesMax,
  query: ["mode"],
} as const;

/** POST /v1/decisions/:decisionId/review: 200 `{decision_id, review}`. */
function decisionReviewRoute(resolve: Resolve): SessionRoute {
  return {
    ...REVIEW,
    path: "/v1/decisions/:decisionId/review",
    async handle(exchange, by, [decisionId = ""], text) {
      const asked = readReview(exchange, by, parseReviewBody(text));
      if (asked === null) return;
      if (!isId(decisionId, "dec")) return exchange.fail(REFUSALS.not_found);
      const results = await resolve({ ...asked.review, decisionIds: [decisionId] });
      if (results === "unavailable") return exchange.fail(READ_UNAVAILABLE);
      const [result = { kind: "not_found" }] = results;
      if (result.kind !== "resolved") return exchange.fail(REFUSALS[result.kind]);
      const body = { decision_id: decisionId, review: toReviewBody(result.review) };
      exchange.send(200, JSON.stringify(body satisfies ReviewResolutionBody));
    },
  };
}

/** POST /v1/decisions/reviews: 200 `{results}`, one for each decision. */
function decisionReviewsRoute(resolve: Resolve): SessionRoute {
  return {
    ...REVIEW,
    path: "/v1/decisions/reviews",
    async handle(exchange, by, _params, text) {
      const asked = readReview(exchange, by, parseReviewsBody(text));
      if (asked === null) return;
      const { decision_ids: decisionIds } = asked.body;
      const found = await resolve({ ...asked.review, decisionIds });
      if (found === "unavailable") return exchange.fail(READ_UNAVAILABLE);
      const results = found.map((result, index) => ({
        decision_id: decisionIds[index] as string,
        ...resultBody(result),
      }));
      exchange.send(200, JSON.stringify({ results } satisfies ReviewResultsBody));
    },
  };
}

/** A parsed review with its mode and author. Null if it has issues; the exchange is then answered. */
function readReview<Body extends Pick<ReviewsBody, "resolution" | "note">>(
  exchange: Exchange,
  { workspaceId, userId: resolvedBy }: Principal,
  parsed: Validated<Body>,
) {
  const query = new Query(exchange.head.query);
  const mode = query.oneOf("mode", modeParameter) ?? "live";
  const issues = [...query.issues, ...(parsed.ok ? [] : parsed.issues)];
  if (parsed.ok && issues.length === 0) {
    const { resolution, note = null } = parsed.value;
    return { review: { workspaceId, mode, resolution, note, resolvedBy }, body: parsed.value };
  }
  exchange.fail({ kind: "invalid", issues });
  return null;
}

/** A refused review has the same error body as a request for that decision alone. */
function resultBody(result: ReviewResult): { review: ReviewBody | null; error: PlainErrorBody | null } {
  if (result.kind === "resolved") return { review: toReviewBody(result.review), error: null };
  return { review: null, error: JSON.parse(errorResponse(REFUSALS[result.kind]).body) as PlainErrorBody };
}
