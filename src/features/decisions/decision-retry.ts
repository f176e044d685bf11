import type { RecordedDecision } from "../../domain/decision/recorded-decision.js";
import { judgeByScheme } from "../../domain/decision/scheme-retry.js";
import { attemptsOf } from "../../domain/decision/seen.js";
import { idTimeMs } from "../../domain/ids/ids.js";
import { attemptsWithin } from "../../domain/retries/judge-retry.js";
import { retryRuleBody } from "../retry-rules/service.js";
import type { DecisionRetry } from "./wire/decision-detail-schema.js";

const DAY_SECONDS = 86_400;

/** RTRY-18: what the schemes' rules saw and said. Undefined where no policy asked them. */
export function toRetryBody({ request, response, seen }: RecordedDecision): DecisionRetry | undefined {
  const { retry } = seen;
  const known = attemptsOf(seen);
  if (retry === undefined || known === undefined) return undefined;
  const nowMs = idTimeMs(response.decision_id);
  const asked = retry.matched && { maxAttempts24h: retry.matched.max_attempts_24h };
  const judged = asked && (judgeByScheme(request, asked, known, nowMs)?.judged ?? null);
  return {
    counted_by: retry.counted_by,
    attempts_24h: attemptsWithin(known.timesMs, DAY_SECONDS, nowMs),
    attempts_30d: attemptsWithin(known.timesMs, 30 * DAY_SECONDS, nowMs),
    max_attempts_24h: asked?.maxAttempts24h ?? null,
    verdict: judged?.verdict ?? null,
    not_before: judged?.verdict === "too_early" ? new Date(judged.notBeforeMs).toISOString() : null,
    rule: judged === null ? null : retryRuleBody(judged.rule),
    rules_version: retry.rules_version,
  };
}
