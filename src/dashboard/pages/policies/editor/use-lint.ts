import { keepPreviousData } from "@tanstack/react-query";
import type { PolicyIssue, Simulation } from "../../../../client/wire-types.js";
import { ProblemError } from "../../../api/transport/problem.js";
import { useRead } from "../../../api/transport/read.js";
import { request } from "../../../api/transport/request.js";
import { useDebounced } from "../../../design/base/use-debounced.js";
import { draftText, toWire, type Draft } from "../draft/draft.js";
import { useProviders } from "../rules/providers.js";

const LINT_AFTER_MS = 300;

export type Lint =
  | { kind: "checking"; issues: readonly PolicyIssue[] }
  | { kind: "checked"; issues: readonly PolicyIssue[] }
  /** The service could not check the draft, because of an outage or an error. */
  | { kind: "failed"; issues: readonly PolicyIssue[]; error: Error; retry(): void };

/** A sample is required, but the result does not depend on it. */
const TRANSACTION = { amount: 1000, currency: "USD", country: "US", payment_method: "card" } as const;
const POLICY_PREFIX = /^policy\.?/;

/**
 * Validates a draft with POST /v1/policies/simulate, which checks it like a publish but stores nothing. Paths begin
 * at the policy. With `isUntouched`, nobody has edited the draft yet, so missing parts are not reported.
 */
export function useLint(merchantId: string, draft: Draft, isUntouched: boolean): Lint {
  const providers = useProviders();
  const text = draftText({ ...draft, name: "Draft" });
  const settled = useDebounced(text, LINT_AFTER_MS);
  const lint = useRead({
    queryKey: ["policy-lint", merchantId, settled],
    queryFn: ({ signal }) => issuesOf(merchantId, JSON.parse(settled) as object, providers, signal),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
  });
  const issues = isUntouched ? [] : [...nameIssues(draft), ...(lint.data ?? [])];
  if (lint.error !== null)
    return { kind: "failed", issues, error: lint.error, retry: () => void lint.refetch() };
  return {
    kind: lint.isPlaceholderData || lint.isPending || settled !== text ? "checking" : "checked",
    issues,
  };
}

async function issuesOf(
  merchantId: string,
  policy: object,
  providers: readonly string[],
  signal: AbortSignal,
): Promise<PolicyIssue[]> {
  const body = { merchant_id: merchantId, policy, transaction: TRANSACTION, available_providers: providers };
  try {
    const { validation } = await request<Simulation>("POST", "/v1/policies/simulate", { body, signal });
    return validation.warnings.map(underPolicy);
  } catch (error) {
    if (error instanceof ProblemError && error.problem.kind === "policy_validation_failed")
      return error.problem.issues.map(underPolicy);
    throw error;
  }
}

function underPolicy(issue: PolicyIssue): PolicyIssue {
  return { ...issue, path: issue.path.replace(POLICY_PREFIX, "") };
}

/** A draft that is only tried needs no name, but a stored one does. */
function nameIssues(draft: Draft): PolicyIssue[] {
  if (toWire(draft).name.trim() !== "") return [];
  return [{ path: "name", code: "too_small", message: "A name is required", severity: "error" }];
}
