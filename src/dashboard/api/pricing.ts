import { useQueryClient } from "@tanstack/react-query";
import { useAction } from "./transport/action.js";
import { useRead } from "./transport/read.js";
import { request } from "./transport/request.js";
import type { ContractUpload, MerchantPricing, UploadedContract } from "./wire/wire-pricing.js";

/** GET /v1/pricing/rules/:merchantId: contracts in effect and to come, and observed prices. */
export function usePricing(merchantId: string) {
  return useRead({
    queryKey: ["pricing", merchantId],
    queryFn: ({ signal }) =>
      request<MerchantPricing>("GET", `/v1/pricing/rules/${encodeURIComponent(merchantId)}`, { signal }),
  });
}

/** POST /v1/pricing/rules */
export function useUploadPricing() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: (body: ContractUpload) => request<UploadedContract>("POST", "/v1/pricing/rules", { body }),
    onSuccess: (_, { merchant_id }) => queries.invalidateQueries({ queryKey: ["pricing", merchant_id] }),
  });
}
