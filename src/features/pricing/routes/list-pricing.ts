import type { PricingStore } from "../service.js";
import { isRealObservation } from "../../../domain/pricing/observed-price.js";
import { PRICING_UNAVAILABLE } from "../../../platform/http/api-error.js";
import { decodeMerchantSegment } from "../../../platform/http/merchant-segment.js";
import type { ScopedRoute } from "../../../path/front/route.js";

/**
 * GET /v1/pricing/rules/:merchantId lists the contracts in effect and scheduled, oldest first, and the observed prices.
 */
export function listPricingRoute(list: PricingStore["list"]): ScopedRoute {
  return {
    method: "GET",
    path: "/v1/pricing/rules/:merchantId",
    access: { scope: "policy:read" },
    bodyBytesMax: null,
    line: "turns",
    async handle(exchange, { workspaceId, merchantScope }, [segment = ""]) {
      const merchantId = decodeMerchantSegment(segment);
      if (merchantScope !== null && merchantScope !== merchantId) {
        return exchange.fail({ kind: "other_merchant_scope" });
      }
      const prices = merchantId === null ? null : await list(workspaceId, merchantId);
      if (prices === "unavailable") return exchange.fail(PRICING_UNAVAILABLE);
      if (prices === null) return exchange.fail({ kind: "unknown_merchant" });
      exchange.send(
        200,
        JSON.stringify({
          merchant_id: merchantId,
          contracts: prices.contracts.map((contract) => ({
            contract_id: contract.contract_id,
            contract_name: contract.name,
            version: `v${contract.version}`,
            status: contract.status,
            effective_from: new Date(contract.from_ms).toISOString(),
            effective_to: contract.to_ms === null ? null : new Date(contract.to_ms).toISOString(),
            replace: contract.replace,
            rules_stored: contract.rules.length,
            created_at: contract.createdAt.toISOString(),
            rules: contract.rules,
          })),
          observed: prices.observed.map((price) => ({
            ...price,
            counts_as_pricing: isRealObservation(price),
          })),
        }),
      );
    },
  };
}
