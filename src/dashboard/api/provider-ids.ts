import { useQuery } from "@tanstack/react-query";
import type { HealthSnapshot } from "../../client/wire-reads.js";
import { request } from "./request.js";

/** The deployment's providers, in its own order: health knows every one of them. */
export function useProviderIds() {
  return useQuery({
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
