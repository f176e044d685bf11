import type { PublishedPolicyBody } from "../wire/policy-response-schema.js";
import type { PolicyValidator } from "../wire/policy-validator.js";
import type { PolicyStore } from "../service.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import type { ApiError } from "../../../platform/http/api-error.js";
import { liveEtag, parseIfMatch } from "../policy-etag.js";
import { POLICIES_UNAVAILABLE, policyResponse } from "../policy-response.js";
import type { ScopedRoute } from "../../../path/front/route.js";

export interface PublishPolicyDependencies {
  validator: PolicyValidator;
  find: PolicyStore["find"];
  publish: PolicyStore["publish"];
}

const NOT_FOUND: ApiError = { kind: "not_found", message: "Policy not found" };
const UNAVAILABLE: ApiError = { kind: "unavailable", message: POLICIES_UNAVAILABLE };

/**
 * POST /v1/policies/:policyId/publish makes a draft, or for a rollback an archived policy, the live one. Publishing the
 * live policy changes nothing. An unknown policy, another workspace's and another merchant's all get the same 404.
 */
export function publishPolicyRoute({ validator, find, publish }: PublishPolicyDependencies): ScopedRoute {
  return {
    method: "POST",
    onRepeat: "replay",
    path: "/v1/policies/:policyId/publish",
    access: { scope: "policy:write" },
    bodyBytesMax: null,
    line: "turns",
    async handle(exchange, grant, [policyId = ""]) {
      const { workspaceId, actor, merchantScope } = grant;
      const ifMatch = parseIfMatch(exchange.head.ifMatch);
      if (!ifMatch.ok) return exchange.fail({ kind: "invalid", issues: [ifMatch.issue] });
      const found = await find(workspaceId, policyId);
      if (found === "unavailable") return exchange.fail(UNAVAILABLE);
      if (found === null || (merchantScope !== null && merchantScope !== found.merchantId)) {
        return exchange.fail(NOT_FOUND);
      }
      // A stored policy's rules never change, but their validity may: drafts may have warnings, and providers are a
      // setting.
      if (found.policy.status !== "published") {
        const judged = validator.validate(found.policy);
        const issues = judged.ok ? judged.warnings : judged.issues;
        if (issues.length > 0) {
          return exchange.fail({
            kind: "policy_invalid",
            issues: issues.slice(0, LIMITS.validationIssuesMax),
          });
        }
      }
      const published = await publish(
        { workspaceId, actor },
        found.merchantId,
        policyId,
        ifMatch.matchesLive,
      );
      if (published === "unavailable") return exchange.fail(UNAVAILABLE);
      if (published === null) return exchange.fail(NOT_FOUND);
      if (published === "live_changed") return exchange.fail({ kind: "live_policy_changed" });
      const answer: PublishedPolicyBody = { policy: policyResponse(published, found.merchantId) };
      exchange.send(200, JSON.stringify(answer), [["etag", liveEtag(published.policy_id)]]);
    },
  };
}
