import type { DecisionRetry } from "../../../client/wire-types.js";
import type { RetryVerdict } from "../../../domain/vocabulary/vocabulary.js";
import { Time } from "../../design/base/age.js";
import { Badge, type Tone } from "../../design/base/badge.js";
import { formatAmount, formatName, formatRate } from "../../design/base/format.js";
import { Facts } from "../../design/layout/facts.js";
import { Panel } from "../../design/layout/panel.js";

const VERDICT_TONES = {
  allowed: "good",
  forbidden: "critical",
  exhausted: "critical",
  too_early: "watch",
  low_gain: "watch",
} as const satisfies Record<RetryVerdict, Tone>;

/** RTRY-18: shows the card scheme's rules for this attempt, with their inputs and results. Gains are in `currency`. */
export function RetryPanel({ retry, currency }: { retry: DecisionRetry; currency: string }) {
  const { verdict, rule, not_before: notBefore, max_attempts_24h: own, expected_gain: gain } = retry;
  const shown =
    verdict === null ? "no rule asked" : <Badge tone={VERDICT_TONES[verdict]}>{formatName(verdict)}</Badge>;
  return (
    <Panel title="Retry by the scheme’s rules" note={`counted by ${retry.counted_by}`}>
      <Facts
        facts={[
          ["Verdict", shown],
          ["Attempts in 24 hours", retry.attempts_24h],
          ["Attempts in 30 days", retry.attempts_30d],
          ...(own === null ? [] : [["The policy’s own limit in 24 hours", own] as const]),
          ...(gain === null
            ? []
            : ([
                [
                  "Chance that it is approved",
                  `${formatRate(gain.recovery_probability)} at ${gain.provider}`,
                ],
                [
                  "Expected gain",
                  `${formatAmount(gain.expected_minor, currency)} of ${formatAmount(retry.min_expected_gain_minor ?? 0, currency)} asked for`,
                ],
              ] as const)),
          ...(notBefore === null ? [] : [["Not before", <Time key="at" at={notBefore} />] as const]),
          ...(rule === null
            ? []
            : ([
                ["Rule", `${formatName(rule.scheme)} ${rule.code ?? "any other code"}: ${rule.meaning}`],
                ["Source", `${rule.source}, since ${rule.effective_date}`],
              ] as const)),
        ]}
      />
    </Panel>
  );
}
