import type { PolicyStore } from "../service.js";
import { decodeMerchantSegment } from "../../../platform/http/merchant-segment.js";
import { liveEtag } from "../policy-etag.js";
import { POLICIES_UNAVAILABLE, policyListJson } from "../policy-response.js";
import type { ScopedRoute } from "../../../path/front/route.js";

/**
 * GET /v1/policies/:merchantId lists the newest versions and the live one, newest first. The `ETag` names the live
 * version and is meant for `If-Match`. The route never answers 304, because a new draft changes the list but not the
 * tag.
 */
export function listPoliciesRoute(list: PolicyStore["list"]): ScopedRoute {
  return {
    method: "GET",
    path: "/v1/policies/:merchantId",
    access: { scope: "policy:read" },
    bodyBytesMax: null,
    line: "turns",
    async handle(exchange, grant, [segment = ""]) {
      const merchantId = decodeMerchantSegment(segment);
      // AUTH-9: a key of one merchant gets 403 for another merchant_id, which is in the path here.
      if (grant.merchantScope !== null && grant.merchantScope !== merchantId) {
        return exchange.fail({ kind: "other_merchant_scope" });
      }
      const policies = merchantId === null ? null : await list(grant.workspaceId, merchantId);
      if (policies === "unavailable") {
        return exchange.fail({ kind: "unavailable", message: POLICIES_UNAVAILABLE });
      }
      if (policies === null) return exchange.fail({ kind: "unknown_merchant" });
      const live = policies.find(({ status }) => status === "published");
      exchange.send(200, policyListJson(policies), [["etag", liveEtag(live?.policy_id ?? null)]]);
    },
  };
}
