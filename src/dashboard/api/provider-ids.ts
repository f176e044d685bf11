import type { HealthSnapshot } from "../../client/wire-types.js";
import { useRead } from "./transport/read.js";
import { request } from "./transport/request.js";

/** The deployment's providers in its own order. They come from provider health, which lists all of them. */
export function useProviderIds() {
  return useRead({
    queryKey: ["provider-ids"],
    queryFn: async ({ signal }) => {
      const { providers } = await request<{ providers: HealthSnapshot[] }>("GET", "/v1/provider-health", {
        signal,
      });
      return [...new Set(providers.map(({ provider }) => provider))];
    },
    staleTime: Infinity,
  });
}
