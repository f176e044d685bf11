import { useAction } from "../transport/action.js";
import { useRead } from "../transport/read.js";
import { request } from "../transport/request.js";
import type { EmailState } from "../wire-types.js";

/** GET /v1/auth/email */
export function useEmailState() {
  return useRead({
    queryKey: ["email"],
    queryFn: ({ signal }) => request<EmailState>("GET", "/v1/auth/email", { signal }),
  });
}

/** POST /v1/auth/email/send-proof */
export function useSendProof() {
  return useAction({ mutationFn: () => request<unknown>("POST", "/v1/auth/email/send-proof") });
}
