import { useRead } from "./transport/read.js";
import { requestAll } from "./transport/request-all.js";

/** One merchant of GET /v1/admin/merchants. */
interface RegisteredMerchant {
  merchant_id: string;
  name: string | null;
}

/** The workspace's merchants, ordered by id. */
export function useMerchantList() {
  return useRead({
    queryKey: ["merchants"],
    queryFn: async ({ signal }) => ({
      merchants: await requestAll<RegisteredMerchant>("/v1/admin/merchants", {
        rows: "merchants",
        cursorOf: ({ merchant_id }) => merchant_id,
        signal,
      }),
    }),
    staleTime: 30_000,
  });
}
