import type { RetryRule } from "../../domain/retries/retry-rule.js";
import { RETRY_RULES, RETRY_RULES_VERSION } from "../../domain/retries/retry-rules.js";
import { pageOfTable, type TablePage } from "../../platform/http/table-page.js";
import type { RetryRuleBody, RetryRuleListBody } from "./wire.js";

const BODIES: readonly RetryRuleBody[] = RETRY_RULES.map(retryRuleBody);

/** RTRY-1: a page of the table, in its order. */
export function retryRulePage(page: TablePage): RetryRuleListBody {
  const { rows, has_more } = pageOfTable(BODIES, ({ rule_id }) => rule_id, page);
  return { version: RETRY_RULES_VERSION, rules: rows, has_more };
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
