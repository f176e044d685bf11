import { keepPreviousData, useMutation, useQueryClient } from "@tanstack/react-query";
import type {
  CreatedPolicy,
  NewPolicy,
  Policy,
  PolicyDraft,
  Simulation,
  SimulationRequest,
  Translation,
} from "../../client/wire-policy.js";
import type { Mode } from "../../shared/vocabulary.js";
import { useRead } from "./read.js";
import { request } from "./request.js";

/** GET /v1/policies/:merchantId: every version, newest first. */
export function usePolicies(merchantId: string) {
  return useRead({
    queryKey: ["policies", merchantId],
    queryFn: ({ signal }) =>
      request<{ policies: Policy[] }>("GET", `/v1/policies/${encodeURIComponent(merchantId)}`, { signal }),
  });
}

/** POST /v1/policies: a draft, or with `publish` the live policy. */
export function useCreatePolicy() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewPolicy) => request<CreatedPolicy>("POST", "/v1/policies", { body }),
    onSuccess: (_, { merchant_id }) => queries.invalidateQueries({ queryKey: ["policies", merchant_id] }),
  });
}

/** POST /v1/policies/:policyId/publish: a stored draft, or an archived version as a rollback. */
export function usePublishPolicy(merchantId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (policyId: string) =>
      request<{ policy: Policy }>("POST", `/v1/policies/${encodeURIComponent(policyId)}/publish`),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["policies", merchantId] }),
  });
}

/** POST /v1/policies/translate: nothing is stored. */
export function useTranslation() {
  return useMutation({
    mutationFn: (body: { merchant_id: string; text: string }) =>
      request<Translation>("POST", "/v1/policies/translate", { body }),
  });
}

/**
 * POST /v1/policies/simulate, again whenever the draft or the sample is another one; what is shown stays until the new
 * answer is there. `body` null: nothing is asked.
 */
export function useSimulation(mode: Mode, body: (SimulationRequest & { policy: PolicyDraft }) | null) {
  return useRead({
    queryKey: ["simulation", mode, body],
    queryFn: ({ signal }) =>
      request<Simulation>("POST", "/v1/policies/simulate", {
        query: { mode },
        ...(body === null ? {} : { body }),
        signal,
      }),
    enabled: body !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 10_000,
    refetchOnWindowFocus: false,
  });
}
