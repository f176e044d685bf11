import type { CreatedPolicyBody } from "../wire/policy-response-schema.js";
import type { ParsedPolicyRequest } from "../wire/policy-body.js";
import type { PolicyStore } from "../service.js";
import { idToUuid } from "../../../domain/ids/ids.js";
import { isLimitReached } from "../../../domain/vocabulary/kept-limits.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { liveEtag, parseIfMatch } from "../policy-etag.js";
import { POLICIES_UNAVAILABLE, policyResponse } from "../policy-response.js";
import type { ExtraHeaders } from "../../../platform/http/api-error.js";
import type { ScopedRoute } from "../../../path/front/route.js";

export interface CreatePolicyDependencies {
  parse(body: string): ParsedPolicyRequest;
  create: PolicyStore["create"];
}

/**
 * POST /v1/policies stores a draft. With `publish` the policy is live from the next decision on. `If-Match` also guards
 * a draft, because drafts are written against the live policy.
 */
export function createPolicyRoute({ parse, create }: CreatePolicyDependencies): ScopedRoute {
  return {
    method: "POST",
    onRepeat: "replay",
    path: "/v1/policies",
    access: { scope: "policy:write" },
    bodyBytesMax: LIMITS.largeBodyBytesMax,
    line: "turns",
    async handle(exchange, grant, _params, body) {
      const ifMatch = parseIfMatch(exchange.head.ifMatch);
      if (!ifMatch.ok) return exchange.fail({ kind: "invalid", issues: [ifMatch.issue] });
      const parsed = parse(body);
      if (!parsed.ok) return exchange.fail(parsed);
      const { merchantId, name, comment, publish, policy, warnings } = parsed.value;
      if (grant.merchantScope !== null && grant.merchantScope !== merchantId) {
        return exchange.fail({ kind: "other_merchant_scope" });
      }
      const by = { workspaceId: grant.workspaceId, actor: grant.actor };
      const stored = await create(by, merchantId, { name, comment, ...policy }, publish, ifMatch.matchesLive);
      if (stored === "unavailable")
        return exchange.fail({ kind: "unavailable", message: POLICIES_UNAVAILABLE });
      if (stored === null) return exchange.fail({ kind: "unknown_merchant" });
      if (stored === "live_changed") return exchange.fail({ kind: "live_policy_changed" });
      if (isLimitReached(stored)) return exchange.fail(stored);
      const response: CreatedPolicyBody = {
        policy: policyResponse(stored, merchantId),
        db_id: idToUuid(stored.policy_id),
        warnings,
      };
      const headers: ExtraHeaders = publish ? [["etag", liveEtag(stored.policy_id)]] : [];
      exchange.send(200, JSON.stringify(response), headers);
    },
  };
}
