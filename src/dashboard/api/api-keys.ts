import { useQueryClient } from "@tanstack/react-query";
import { useAction } from "./transport/action.js";
import { useRead } from "./transport/read.js";
import { request } from "./transport/request.js";
import type { ApiKey, NewApiKey } from "./wire-types.js";

const KEYS = ["api-keys"];

/** GET /v1/api-keys: all keys of both modes, newest first, revoked ones included. */
export function useApiKeys(isEnabled = true) {
  return useRead({
    queryKey: KEYS,
    queryFn: ({ signal }) => request<{ api_keys: ApiKey[] }>("GET", "/v1/api-keys", { signal }),
    enabled: isEnabled,
  });
}

/** POST /v1/api-keys. No other answer contains the secret. */
export function useCreateApiKey() {
  const queries = useQueryClient();
  return useAction({
    // The answer contains a secret, so it is dropped when its dialog closes.
    gcTime: 0,
    mutationFn: (body: NewApiKey) =>
      request<{ api_key: ApiKey; secret: string }>("POST", "/v1/api-keys", { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEYS }),
  });
}

/** POST /v1/api-keys/:id/rotate. No other answer contains the new secret. */
export function useRotateApiKey() {
  const queries = useQueryClient();
  return useAction({
    // The answer contains a secret, so it is dropped when its dialog closes.
    gcTime: 0,
    mutationFn: ({ id, overlapHours }: { id: string; overlapHours: number }) =>
      request<{ api_key: ApiKey; secret: string; replaced: ApiKey }>(
        "POST",
        `/v1/api-keys/${encodeURIComponent(id)}/rotate`,
        { body: { overlap_hours: overlapHours } },
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEYS }),
  });
}

/** DELETE /v1/api-keys/:id */
export function useRevokeApiKey() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: (id: string) =>
      request<{ api_key: ApiKey }>("DELETE", `/v1/api-keys/${encodeURIComponent(id)}`),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEYS }),
  });
}
