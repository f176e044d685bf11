import { useRead } from "./transport/read.js";
import { request } from "./transport/request.js";

/** One merchant of GET /v1/admin/merchants. */
interface RegisteredMerchant {
  merchant_id: string;
  name: string | null;
}

/** The workspace's merchants, ordered by id. */
export function useMerchantList() {
  return useRead({
    queryKey: ["merchants"],
    queryFn: ({ signal }) =>
      request<{ merchants: RegisteredMerchant[] }>("GET", "/v1/admin/merchants", { signal }),
    staleTime: 30_000,
  });
}
