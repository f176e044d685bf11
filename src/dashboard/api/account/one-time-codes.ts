import { useQueryClient } from "@tanstack/react-query";
import { useAction } from "../transport/action.js";
import { useRead } from "../transport/read.js";
import { request } from "../transport/request.js";
import type { OneTimeCodes, OneTimeCodeSecret, RecoveryCodes } from "../wire-types.js";

const CODES = ["one-time-codes"];
const PATH = "/v1/auth/one-time-codes";

/** GET /v1/auth/one-time-codes */
export function useOneTimeCodes() {
  return useRead({
    queryKey: CODES,
    queryFn: ({ signal }) => request<OneTimeCodes>("GET", PATH, { signal }),
  });
}

/** POST /v1/auth/one-time-codes. No other answer contains the secret. */
export function useEnrolCodes() {
  return useAction({
    // The answer contains a secret, so it is dropped when its dialog closes.
    gcTime: 0,
    mutationFn: (body: { current_password: string }) => request<OneTimeCodeSecret>("POST", PATH, { body }),
  });
}

/** POST /v1/auth/one-time-codes/confirm. No other answer contains the recovery codes. */
export function useConfirmCodes() {
  const queries = useQueryClient();
  return useAction({
    gcTime: 0,
    mutationFn: (body: { code: string }) => request<RecoveryCodes>("POST", `${PATH}/confirm`, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: CODES }),
  });
}

/** POST /v1/auth/one-time-codes/disable */
export function useDisableCodes() {
  const queries = useQueryClient();
  return useAction({
    gcTime: 0,
    mutationFn: (body: { current_password: string; code: string }) =>
      request<undefined>("POST", `${PATH}/disable`, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: CODES }),
  });
}
