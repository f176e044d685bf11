import type { RecordedDecision } from "../../domain/decision/recorded-decision.js";
import {
  askedRetry,
  judgeAttempts,
  verdictOf,
  type ExpectedGain,
} from "../../domain/decision/scheme-retry.js";
import { attemptsOf, type SeenGain } from "../../domain/decision/seen.js";
import { idTimeMs } from "../../domain/ids/ids.js";
import { attemptsWithin } from "../../domain/retries/judge-retry.js";
import { roundTo2, roundTo6 } from "../../domain/vocabulary/rounding.js";
import { retryRuleBody } from "../retry-rules/service.js";
import type { DecisionRetry } from "./wire/decision-detail-schema.js";

const DAY_SECONDS = 86_400;

/**
 * RTRY-18: the inputs and results of the schemes' retry rules. Undefined if the policy of the decision used none of
 * them.
 */
export function toRetryBody({ request, response, seen }: RecordedDecision): DecisionRetry | undefined {
  const { retry } = seen;
  const known = attemptsOf(seen);
  if (retry === undefined || known === undefined) return undefined;
  const nowMs = idTimeMs(response.decision_id);
  const asked = askedRetry(request);
  const { matched, gain } = retry;
  const rule = matched && {
    maxAttempts24h: matched.max_attempts_24h,
    minExpectedGainMinor: matched.min_expected_gain_minor,
  };
  const judged = rule === null || asked === null ? null : judgeAttempts(asked, rule, known, nowMs);
  return {
    counted_by: retry.counted_by,
    attempts_24h: attemptsWithin(known.timesMs, DAY_SECONDS, nowMs),
    attempts_30d: attemptsWithin(known.timesMs, 30 * DAY_SECONDS, nowMs),
    max_attempts_24h: rule?.maxAttempts24h ?? null,
    min_expected_gain_minor: rule?.minExpectedGainMinor ?? null,
    verdict: rule === null || judged === null ? null : verdictOf({ judged, rule, gain: toGain(gain) }),
    expected_gain:
      gain === undefined
        ? null
        : {
            provider: gain.provider,
            recovery_probability: roundTo6(gain.probability),
            expected_minor: roundTo2(gain.expected_minor),
          },
    not_before: judged?.verdict === "too_early" ? new Date(judged.notBeforeMs).toISOString() : null,
    rule: judged === null ? null : retryRuleBody(judged.rule),
    rules_version: retry.rules_version,
  };
}

function toGain(gain: SeenGain | undefined): ExpectedGain | null {
  if (gain === undefined) return null;
  const { provider, probability, expected_minor: expectedMinor } = gain;
  return { provider, probability, expectedMinor };
}
