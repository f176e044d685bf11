import { useQueryClient } from "@tanstack/react-query";
import { useAction } from "./transport/action.js";
import { useRead } from "./transport/read.js";
import { request } from "./transport/request.js";
import type { MerchantPrices, NewPricingContract, StoredContract } from "./wire-types.js";

/** GET /v1/pricing/rules/:merchantId lists the contracts in effect and scheduled, and the observed prices. */
export function usePricing(merchantId: string) {
  return useRead({
    queryKey: ["pricing", merchantId],
    queryFn: ({ signal }) =>
      request<MerchantPrices>("GET", `/v1/pricing/rules/${encodeURIComponent(merchantId)}`, { signal }),
  });
}

/** The service validates the rules, so they may have any type here. */
export interface ContractUpload extends Omit<NewPricingContract, "rules"> {
  rules: readonly unknown[];
}

/** POST /v1/pricing/rules */
export function useUploadPricing() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: (body: ContractUpload) => request<StoredContract>("POST", "/v1/pricing/rules", { body }),
    onSuccess: (_, { merchant_id }) => queries.invalidateQueries({ queryKey: ["pricing", merchant_id] }),
  });
}
