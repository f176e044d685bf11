import type { RetryRule } from "../../domain/retries/retry-rule.js";
import { RETRY_RULES, RETRY_RULES_VERSION } from "../../domain/retries/retry-rules.js";
import type { RetryRuleBody, RetryRuleListBody } from "./wire.js";

const BODIES: readonly RetryRuleBody[] = RETRY_RULES.map(retryRuleBody);

/** LIST-2 and LIST-3: a page of the table, in its order. `after` and `before` are ids of rows, or null. */
export function retryRulePage(size: number, after: string | null, before: string | null): RetryRuleListBody {
  return { version: RETRY_RULES_VERSION, ...pageOf(BODIES, size, after, before) };
}

function pageOf(
  rules: readonly RetryRuleBody[],
  size: number,
  after: string | null,
  before: string | null,
): Omit<RetryRuleListBody, "version"> {
  const cursor = after ?? before;
  const at = rules.findIndex(({ rule_id }) => rule_id === cursor);
  if (cursor !== null && at === -1) return { rules: [], has_more: false };
  if (before !== null) {
    const start = Math.max(0, at - size);
    return { rules: rules.slice(start, at), has_more: start > 0 };
  }
  // Without a cursor `at` is -1, so the page starts with the first row.
  const end = at + 1 + size;
  return { rules: rules.slice(at + 1, end), has_more: end < rules.length };
}

/** A row as answers show it. */
export function retryRuleBody(rule: RetryRule): RetryRuleBody {
  return {
    rule_id: rule.ruleId,
    scheme: rule.scheme,
    code: rule.code,
    code_kind: rule.codeKind,
    meaning: rule.meaning,
    category: rule.category,
    wait_seconds: rule.waitSeconds,
    max_attempts: rule.limits.map(({ attempts, windowSeconds }) => ({
      attempts,
      window_seconds: windowSeconds,
    })),
    source: rule.source,
    effective_date: rule.effectiveDate,
    version: rule.version,
  };
}
