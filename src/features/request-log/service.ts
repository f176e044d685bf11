import { idFromHex, idToHex } from "../../domain/ids/ids.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import {
  ISSUE_CODES,
  REQUEST_ERRORS,
  type IssueCode,
  type Mode,
  type RequestError,
} from "../../domain/vocabulary/vocabulary.js";
import type { Route } from "../../path/front/route.js";
import type { ApiError } from "../../platform/http/api-error.js";
import type { Exchange } from "../../platform/http/exchange.js";
import type { Cursor } from "../../platform/http/page-query.js";
import { RequestRings, type NotedRequest, type RequestRow } from "./request-rings.js";

type Method = Route["method"];

export interface RequestLogOptions {
  /**
   * The 26 characters of an id, new at every start. Its last 40 bits distinguish this start's rows from those of other
   * starts.
   */
  startId: string;
  /** Unix milliseconds. */
  now(): number;
  rowsMax?: number;
  bytesMax?: number;
}

/** The rows of a page. Null matches every value. */
export interface RequestFilter {
  /** A class of statuses such as `4xx`, or one status such as `404`. */
  status: string | null;
  error: RequestError | null;
}

export interface LoggedRequest {
  /** `rlog_…`. The id contains the time of the answer. */
  id: string;
  answeredAtMs: number;
  method: Method;
  /** The route's pattern. */
  path: string;
  status: number;
  durationMs: number;
  keyId: string;
  requestId: string;
  error: RequestError | null;
  issueCode: IssueCode | null;
  issuePath: string | null;
}

/** RLOG-3: the code of each refusal. Null means that no request with a known key can get this refusal. */
const ERROR_OF = {
  bad_framing: null,
  no_credentials: null,
  invalid_api_key: null,
  invalid_session: null,
  invalid_webhook: null,
  wrong_password: null,
  wrong_current_password: null,
  no_membership: null,
  code_required: null,
  wrong_code: null,
  wrong_code_of_session: null,
  unsatisfiable_range: null,
  registration_closed: null,
  cross_origin: null,
  must_enrol_codes: null,
  missing_role: null,
  method_not_allowed: null,
  invalid: "validation_error",
  policy_invalid: "policy_validation_failed",
  inactive_tenant: "inactive_tenant",
  session_required: "session_required",
  missing_scope: "missing_scope",
  other_merchant_scope: "other_merchant_scope",
  unknown_merchant: "unknown_merchant",
  rate_limited: "rate_limited",
  not_found: "not_found",
  conflict: "conflict",
  limit_reached: "limit_reached",
  live_policy_changed: "live_policy_changed",
  body_too_large: "body_too_large",
  unsupported_media_type: "unsupported_media_type",
  unsupported_charset: "unsupported_charset",
  encoded_body: "encoded_body",
  internal: "internal",
  unavailable: "unavailable",
} as const satisfies Record<ApiError["kind"], RequestError | null>;

/**
 * The last requests of each workspace and mode, in this node's memory. Each request with a known key adds a row. That
 * takes half a microsecond, and allocates nothing that outlives the call.
 */
export function createRequestLog(options: RequestLogOptions) {
  const { now, rowsMax = LIMITS.requestLogRowsMax, bytesMax = LIMITS.requestLogBytesMax } = options;
  const startHex = idToHex(`req_${options.startId}`).slice(-SEQUENCE_DIGITS);
  const routes: { method: Method; path: string }[] = [];
  const rings = new RequestRings(rowsMax, bytesMax);

  const idOf = ({ answeredAtMs, sequence: number }: RequestRow): string =>
    idFromHex("rlog", hexOf(answeredAtMs, TIME_DIGITS) + startHex + hexOf(number, SEQUENCE_DIGITS));

  const logged = (row: RequestRow): LoggedRequest => {
    const { method, path } = routes[row.route] as { method: Method; path: string };
    return {
      id: idOf(row),
      answeredAtMs: row.answeredAtMs,
      method,
      path,
      status: row.status,
      durationMs: row.durationMs,
      keyId: row.keyId,
      requestId: row.requestId,
      error: row.error === 0 ? null : (REQUEST_ERRORS[row.error - 1] as RequestError),
      issueCode: row.issue === 0 ? null : (ISSUE_CODES[row.issue - 1] as IssueCode),
      issuePath: row.issue === 0 ? null : row.issuePath,
    };
  };

  return {
    /** Makes the function that records each answer of a route. A request with an unknown key is ignored. */
    observerOf(method: Method, path: string): (status: number, seconds: number, exchange: Exchange) => void {
      return rings.observerOf(routes.push({ method, path }) - 1, now, noteRefusal);
    },

    /** RLOG-5: one page, newest first, and whether there are more rows in the direction walked. */
    page(
      { workspaceId, mode }: { workspaceId: string; mode: Mode },
      filter: RequestFilter,
      { pageSize, cursor }: { pageSize: number; cursor: Cursor | null },
    ): { requests: LoggedRequest[]; hasMore: boolean } {
      const rows = [...(rings.find(workspaceId, mode)?.newestFirst() ?? [])];
      const at = cursor === null ? -1 : rows.findIndex((row) => idOf(row) === cursor.id);
      // LIST-3: the row of an unknown cursor may have been dropped, or may be on another node.
      if (cursor !== null && at === -1) return { requests: [], hasMore: false };
      const newer = cursor?.kind === "newer_than";
      const beside = newer ? rows.slice(0, at) : rows.slice(at + 1);
      const found = beside.map(logged).filter((request) => matches(request, filter));
      const requests = newer ? found.slice(-pageSize) : found.slice(0, pageSize);
      return { requests, hasMore: found.length > requests.length };
    },

    /** The size of all rings together. */
    sizeBytes: () => rings.sizeBytes,
  };
}

export type RequestLog = ReturnType<typeof createRequestLog>;

/** Hexadecimal digits of an id's parts: its millisecond, the start, and the sequence. */
const TIME_DIGITS = 12;
const SEQUENCE_DIGITS = 10;

function hexOf(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

function noteRefusal(noted: NotedRequest, refusal: ApiError): void {
  const code = ERROR_OF[refusal.kind];
  if (code !== null) noted.error = REQUEST_ERRORS.indexOf(code) + 1;
  const issue = "issues" in refusal ? refusal.issues[0] : undefined;
  if (issue === undefined) return;
  noted.issue = ISSUE_CODES.indexOf(issue.code) + 1;
  noted.issuePath = issue.path;
}

function matches({ status, error }: LoggedRequest, filter: RequestFilter): boolean {
  if (filter.error !== null && filter.error !== error) return false;
  if (filter.status === null) return true;
  return filter.status.endsWith("xx")
    ? filter.status.startsWith(String(Math.floor(status / 100)))
    : filter.status === String(status);
}
