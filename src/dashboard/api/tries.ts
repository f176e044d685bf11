import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { DecisionDetail, NewPolicy, Policy } from "../../client/wire-types.js";
import { useAction } from "./transport/action.js";
import { statusOf } from "./transport/problem.js";
import { request } from "./transport/request.js";
import type { ApiKey } from "./wire-types.js";

interface TrySetting {
  policy: NewPolicy;
  /** The body of POST /v1/decision. */
  body: object;
}

interface NewKey {
  api_key: ApiKey;
  secret: string;
}

const KEY_HOURS = 1;

/**
 * DASH-24: gets a decision in test mode. Sessions may not request decisions, so the first try makes a key for the
 * merchant alone. The key is revoked when the person leaves the page, and expires after an hour.
 */
export function useTry() {
  const queries = useQueryClient();
  const key = useRef<NewKey | null>(null);
  useEffect(
    () => () => {
      if (key.current !== null) void revoke(key.current).catch(() => undefined);
    },
    [],
  );
  return useAction({
    // A 401 means that the key has ended. It says nothing about the session.
    meta: { isAttempt: true },
    mutationFn: async ({ policy, body }: TrySetting) => {
      if (key.current === null) {
        await makeReady(policy);
        key.current = await makeKey(policy.merchant_id);
      }
      return decide(key.current.secret, body).catch((error: unknown) => {
        if (statusOf(error) === 401) key.current = null;
        throw error;
      });
    },
    onSuccess: () =>
      Promise.all(
        ["merchants", "api-keys", "policies", "decisions", "decision-aggregate"].map((name) =>
          queries.invalidateQueries({ queryKey: [name] }),
        ),
      ),
  });
}

/** Adds the merchant and publishes its policy, unless they already exist. */
async function makeReady(policy: NewPolicy): Promise<void> {
  const { merchant_id } = policy;
  const { merchants } = await request<{ merchants: { merchant_id: string }[] }>("GET", "/v1/admin/merchants");
  if (!merchants.some((merchant) => merchant.merchant_id === merchant_id))
    await request("POST", "/v1/admin/merchants", { body: { merchant_id, name: "Tries" } });
  const { policies } = await request<{ policies: Policy[] }>("GET", `/v1/policies/${merchant_id}`);
  if (!policies.some(({ status }) => status === "published"))
    await request("POST", "/v1/policies", { body: { ...policy, publish: true } });
}

function makeKey(merchantId: string): Promise<NewKey> {
  return request<NewKey>("POST", "/v1/api-keys", {
    body: {
      name: "Tries at the dashboard",
      mode: "test",
      scopes: ["decision:write"],
      merchant_id: merchantId,
      expires_at: new Date(Date.now() + KEY_HOURS * 3_600_000).toISOString(),
    },
  });
}

function revoke({ api_key }: NewKey): Promise<unknown> {
  return request("DELETE", `/v1/api-keys/${encodeURIComponent(api_key.id)}`);
}

export type TriedDecision = Pick<DecisionDetail, "decision_id" | "action" | "route">;

function decide(apiKey: string, body: object): Promise<TriedDecision> {
  return request<TriedDecision>("POST", "/v1/decision", { apiKey, body });
}
