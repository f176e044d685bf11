import { keepPreviousData, useQueryClient } from "@tanstack/react-query";
import type {
  CreatedPolicy,
  NewPolicy,
  Policy,
  PolicyDraft,
  PolicyTemplateList,
  Simulation,
  SimulationRequest,
  Translation,
} from "../../client/wire-types.js";
import type { Mode } from "../../domain/vocabulary/vocabulary.js";
import { useAction } from "./transport/action.js";
import { useRead } from "./transport/read.js";
import { request, requestTagged } from "./transport/request.js";

/** The live policy, null when there is none, and the tag that names it. */
export interface LivePolicy {
  policy: Policy | null;
  etag: string;
}

export interface MerchantPolicies {
  /** The newest versions and the live one. The list is newest first. */
  policies: readonly Policy[];
  live: LivePolicy;
}

const POLICIES_EVERY_MS = 15_000;

/** GET /v1/policies/:merchantId lists the newest versions and the live one. */
function policiesQuery(merchantId: string) {
  return {
    queryKey: ["policies", merchantId],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<MerchantPolicies> => {
      const path = `/v1/policies/${encodeURIComponent(merchantId)}`;
      const { answer, etag } = await requestTagged<{ policies: Policy[] }>("GET", path, { signal });
      const { policies } = answer;
      const policy = policies.find(({ status }) => status === "published") ?? null;
      return { policies, live: { policy, etag } };
    },
  };
}

/**
 * Returns the policies of the first merchant that has any. Undefined while the merchants are unknown. The requests
 * run in sequence, so only one is sent if the first merchant has a policy.
 */
export function useAnyPolicies(merchantIds: readonly string[] | undefined) {
  return useRead({
    queryKey: ["policies", "of-any", merchantIds],
    queryFn: async ({ signal }): Promise<readonly Policy[]> => {
      for (const merchantId of merchantIds ?? []) {
        const path = `/v1/policies/${encodeURIComponent(merchantId)}`;
        const { policies } = await request<{ policies: Policy[] }>("GET", path, { signal });
        if (policies.length > 0) return policies;
      }
      return [];
    },
    enabled: merchantIds !== undefined,
  });
}

/** DASH-12: the list is polled, because a colleague may publish while a person edits. */
export function usePolicies(merchantId: string) {
  return useRead({ ...policiesQuery(merchantId), refetchInterval: POLICIES_EVERY_MS });
}

/** Reads the live policy from the service, even if one is cached. */
export function useLookAtLive(merchantId: string): () => Promise<LivePolicy> {
  const queries = useQueryClient();
  return async () => (await queries.fetchQuery({ ...policiesQuery(merchantId), staleTime: 0 })).live;
}

/** POST /v1/policies stores a draft. No `If-Match` is sent, because a draft replaces nothing. */
export function useSaveDraft() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: (body: NewPolicy) => request<CreatedPolicy>("POST", "/v1/policies", { body }),
    onSuccess: (_, { merchant_id }) => queries.invalidateQueries({ queryKey: ["policies", merchant_id] }),
  });
}

/** The policy to publish: a stored draft, an archived version as a rollback, or a new policy. */
export type Publication = { policyId: string } | { policy: NewPolicy };

/** Publishes only if the live policy is the one that `ifMatch` names. Otherwise the service answers 412. */
export function usePublish(merchantId: string) {
  const queries = useQueryClient();
  return useAction({
    mutationFn: async ({ what, ifMatch }: { what: Publication; ifMatch: string }): Promise<LivePolicy> => {
      const path = "policyId" in what ? `/${encodeURIComponent(what.policyId)}/publish` : "";
      const { answer, etag } = await requestTagged<{ policy: Policy }>("POST", `/v1/policies${path}`, {
        ifMatch,
        ...("policyId" in what ? {} : { body: { ...what.policy, publish: true } }),
      });
      return { policy: answer.policy, etag };
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ["policies", merchantId] }),
  });
}

/** POST /v1/policies/translate. Nothing is stored. */
export function useTranslation() {
  return useAction({
    mutationFn: (body: { merchant_id: string; text: string }) =>
      request<Translation>("POST", "/v1/policies/translate", { body }),
  });
}

/**
 * POST /v1/policies/simulate, repeated whenever the draft or the sample changes. The last result stays until the new
 * one arrives. With a null `body` nothing is requested.
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

/** GET /v1/policy-templates: all of them. They change only with the service's version. */
export function usePolicyTemplates({ enabled = true } = {}) {
  return useRead({
    queryKey: ["policy-templates"],
    queryFn: ({ signal }) => request<PolicyTemplateList>("GET", "/v1/policy-templates", { signal }),
    staleTime: Infinity,
    enabled,
  });
}
