import type { StoredContractBody } from "../wire/pricing-response-schema.js";
import type { Validated } from "../../../platform/wire/body-validator.js";
import type { NewPricingContract } from "../wire/pricing-schema.js";
import type { PricingStore } from "../service.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { unreachable } from "../../../domain/vocabulary/unreachable.js";
import { PRICING_UNAVAILABLE, type ApiError } from "../../../platform/http/api-error.js";
import type { ScopedRoute } from "../../../path/front/route.js";

export interface UploadPricingDependencies {
  parse(body: string): Validated<NewPricingContract>;
  upload: PricingStore["upload"];
}

const TOO_MANY_RULES: ApiError = {
  kind: "conflict",
  message: `A merchant's contracts in effect or to come hold at most ${LIMITS.pricingRulesLiveMax} rules; upload with replace`,
};

/** POST /v1/pricing/rules, PRICE-1: stores a contract that decisions use from its effective date on. */
export function uploadPricingRoute({ parse, upload }: UploadPricingDependencies): ScopedRoute {
  return {
    method: "POST",
    onRepeat: "replay",
    path: "/v1/pricing/rules",
    access: { scope: "policy:write" },
    bodyBytesMax: LIMITS.largeBodyBytesMax,
    line: "turns",
    async handle(exchange, { workspaceId, actor, merchantScope }, _params, body) {
      const parsed = parse(body);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const { merchantId, warnings, ...contract } = parsed.value;
      if (merchantScope !== null && merchantScope !== merchantId) {
        return exchange.fail({ kind: "other_merchant_scope" });
      }
      const uploaded = await upload({ workspaceId, actor }, merchantId, contract);
      if (uploaded === "unavailable") return exchange.fail(PRICING_UNAVAILABLE);
      switch (uploaded.kind) {
        case "unknown_merchant":
          return exchange.fail({ kind: "unknown_merchant" });
        case "too_many_rules":
          return exchange.fail(TOO_MANY_RULES);
        case "limit_reached":
          return exchange.fail(uploaded);
        case "stored":
          return exchange.send(
            200,
            JSON.stringify({
              contract_id: uploaded.contractId,
              merchant_id: merchantId,
              rules_stored: contract.rules.length,
              effective_from: new Date(contract.fromMs).toISOString(),
              effective_to: contract.toMs === null ? null : new Date(contract.toMs).toISOString(),
              warnings: [...warnings, ...overridingWarning(uploaded.overriding)],
            } satisfies StoredContractBody),
          );
        default:
          return unreachable(uploaded);
      }
    },
  };
}

/**
 * Several contracts may be in effect at once. If two have a price for one segment, the newer contract's price counts.
 */
function overridingWarning(overriding: number): StoredContractBody["warnings"] {
  if (overriding === 0) return [];
  const message = `${overriding} rule(s) take the place of an earlier contract's while both are in effect`;
  return [{ path: "rules", code: "custom", message, severity: "warning" }];
}
