import type { Policy } from "../../domain/policy/policy.js";
import type {
  DecisionDetail,
  DecisionListQuery,
  DecisionPage,
  Replay,
  ShadowReport,
} from "../../client/wire-types.js";
import type { Mode } from "../../domain/vocabulary/vocabulary.js";
import { statusOf } from "./transport/problem.js";
import { useRead } from "./transport/read.js";
import { request } from "./transport/request.js";

const FOLLOW_EVERY_MS = 3000;

const pathOf = (decisionId: string): string => `/v1/decisions/${encodeURIComponent(decisionId)}`;

/** GET /v1/decisions. `isFollowed` polls the page, so that new decisions appear on it. */
export function useDecisionPage(mode: Mode, query: DecisionListQuery, isFollowed: boolean) {
  return useRead({
    queryKey: ["decisions", mode, query],
    queryFn: ({ signal }) =>
      request<DecisionPage>("GET", "/v1/decisions", { query: { ...query, mode }, signal }),
    ...(isFollowed ? { refetchInterval: FOLLOW_EVERY_MS } : {}),
    // While another page loads, the previous page's rows stay visible, unless they are of the other mode.
    placeholderData: (before, beforeQuery) => (beforeQuery?.queryKey[1] === mode ? before : undefined),
  });
}

/** The largest number of decisions that are shown for one order. */
const ORDER_DECISIONS_MAX = 100;

/** LOG-2: GET /v1/decisions, `order_id`: every decision for that order, retries included. */
export function useOrderDecisions(mode: Mode, orderId: string) {
  return useDecisionPage(mode, { order_id: orderId, page_size: ORDER_DECISIONS_MAX }, true);
}

/** GET /v1/decisions/:decisionId. It is polled, so that a later outcome or review appears. */
export function useDecision(mode: Mode, decisionId: string) {
  return useRead({
    queryKey: ["decision", mode, decisionId],
    queryFn: ({ signal }) => request<DecisionDetail>("GET", pathOf(decisionId), { query: { mode }, signal }),
    refetchInterval: ({ state }) => (statusOf(state.error) === 404 ? false : FOLLOW_EVERY_MS),
  });
}

/** POST /v1/decisions/:decisionId/replay. It changes nothing, so it is a read, but it runs only on request. */
export function useReplay(mode: Mode, decisionId: string) {
  return useRead({
    queryKey: ["replay", mode, decisionId],
    queryFn: ({ signal }) =>
      request<Replay>("POST", `${pathOf(decisionId)}/replay`, { query: { mode }, signal }),
    enabled: false,
  });
}

/** GET /v1/policies/:merchantId lists the newest versions and the live one, newest first. */
export function useMerchantPolicies(merchantId: string) {
  return useRead({
    // The policies page caches its own answer, with the tag of the live policy, under the shorter key.
    queryKey: ["policies", merchantId, "listed"],
    queryFn: ({ signal }) =>
      request<{ policies: Policy[] }>("GET", `/v1/policies/${encodeURIComponent(merchantId)}`, { signal }),
    staleTime: 30_000,
  });
}

/** GET /v1/decisions/shadow-report */
export function useShadowReport(mode: Mode, days: number) {
  return useRead({
    queryKey: ["shadow-report", mode, days],
    queryFn: ({ signal }) =>
      request<ShadowReport>("GET", "/v1/decisions/shadow-report", { query: { mode, days }, signal }),
    refetchInterval: 10_000,
    placeholderData: (before, beforeQuery) => (beforeQuery?.queryKey[1] === mode ? before : undefined),
  });
}
