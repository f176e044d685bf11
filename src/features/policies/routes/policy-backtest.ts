import { streamBacktest } from "../backtest/backtest-stream.js";
import type { Backtests } from "../backtest/backtest-thread.js";
import type { BacktestJob } from "../backtest/messages.js";
import type { DecisionContexts } from "../../../path/decide/context/decision-contexts.js";
import type { BacktestBody } from "../wire/backtest-schema.js";
import { type Draft, draftPolicy, type ParsedDraftBody } from "../wire/draft-body.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { daysStartMs } from "../../../domain/vocabulary/range.js";
import { READ_UNAVAILABLE } from "../../../platform/http/api-error.js";
import type { ScopedRoute } from "../../../path/front/route.js";

export interface PolicyBacktestDependencies {
  parse(body: string): ParsedDraftBody<BacktestBody>;
  /** The replica's merchants. */
  contexts: DecisionContexts;
  /** Resolves to true once everything that this node has acknowledged is readable, or to false when that fails. */
  readable(): Promise<boolean>;
  start: Backtests["start"];
  /** Unix milliseconds. */
  now(): number;
}

/**
 * POST /v1/policies/backtest makes the merchant's own past decisions again with a draft. The backtest waits for its
 * workspace's turn. Then the answer streams one progress line per page, and the result as the last line. If the client
 * goes away, the backtest ends.
 */
export function policyBacktestRoute(dependencies: PolicyBacktestDependencies): ScopedRoute {
  const { parse, contexts, readable, start, now } = dependencies;
  return {
    method: "POST",
    onRepeat: "again",
    path: "/v1/policies/backtest",
    access: { scope: "policy:read" },
    bodyBytesMax: LIMITS.largeBodyBytesMax,
    line: "slices",
    async handle(exchange, grant, _params, body) {
      const parsed = parse(body);
      if (!parsed.ok) return exchange.fail(parsed);
      const { merchant_id } = parsed.body;
      if (grant.merchantScope !== null && grant.merchantScope !== merchant_id) {
        return exchange.fail({ kind: "other_merchant_scope" });
      }
      contexts.refresh();
      if (contexts.merchant(grant.workspaceId, grant.mode, merchant_id) === null) {
        return exchange.fail({ kind: "unknown_merchant" });
      }
      if (!(await readable())) return exchange.fail(READ_UNAVAILABLE);
      if (exchange.done) return;
      const draft = parsed.draft as Draft;
      const job = toJob(grant, parsed.body, draft, now());
      await streamBacktest(exchange, (clientGone) => start(job, clientGone));
    },
  };
}

function toJob(
  { workspaceId, mode }: Pick<BacktestJob, "workspaceId" | "mode">,
  { merchant_id, days = LIMITS.backtestDaysMax, limit = LIMITS.backtestDecisionsMax }: BacktestBody,
  draft: Draft,
  nowMs: number,
): BacktestJob {
  return {
    workspaceId,
    mode,
    merchantId: merchant_id,
    policy: draftPolicy(draft),
    warnings: draft.warnings,
    sinceMs: daysStartMs(days, nowMs),
    limit,
  };
}
