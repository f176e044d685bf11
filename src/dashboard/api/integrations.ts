import { useQueryClient } from "@tanstack/react-query";
import { useAction } from "./transport/action.js";
import { useRead } from "./transport/read.js";
import { request } from "./transport/request.js";
import type { Integration, RotatedSecret } from "./wire-types.js";

const INTEGRATIONS = ["integrations"];

/** GET /v1/integrations: one merchant with every provider. */
export function useIntegrations(merchantId: string) {
  return useRead({
    queryKey: [...INTEGRATIONS, merchantId],
    queryFn: ({ signal }) =>
      request<{ integrations: Integration[] }>("GET", "/v1/integrations", {
        query: { merchant_id: merchantId },
        signal,
      }),
  });
}

/**
 * PUT /v1/integrations/:provider/webhook-secret. Without `secret` the service generates one, and no other answer
 * contains it.
 */
export function useRotateSecret() {
  const queries = useQueryClient();
  return useAction({
    gcTime: 0,
    mutationFn: ({ provider, ...body }: { provider: string; merchant_id: string; secret?: string }) =>
      request<RotatedSecret>("PUT", `/v1/integrations/${encodeURIComponent(provider)}/webhook-secret`, {
        body,
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: INTEGRATIONS }),
  });
}
