/** What a workspace keeps for ever, each with its setting: how much of it is taken. 0 is no limit. */
export const KEPT = {
  merchants: { setting: "MERCHANTS_MAX", max: 10_000, what: "merchants" },
  policies: { setting: "POLICIES_PER_MERCHANT_MAX", max: 1000, what: "policies per merchant" },
  contracts: { setting: "CONTRACTS_PER_MERCHANT_MAX", max: 1000, what: "contracts per merchant" },
  apiKeys: { setting: "API_KEYS_MAX", max: 1000, what: "API keys" },
  invitations: { setting: "INVITATIONS_MAX", max: 1000, what: "pending invitations" },
  webhookSecrets: { setting: "WEBHOOK_SECRETS_MAX", max: 10_000, what: "webhook secrets" },
} as const satisfies Record<string, { setting: string; max: number; what: string }>;

export type KeptKind = keyof typeof KEPT;
export type KeptLimits = Readonly<Record<KeptKind, number>>;

/** SET-14: refused with 409, whose message says which limit and how many. */
export interface LimitReached {
  kind: "limit_reached";
  limit: number;
  what: string;
}

/** Whether one more has no place beside `kept` of them; to be asked under a lock that keeps others from adding one. */
export function limitReached(limits: KeptLimits, kind: KeptKind, kept: number): LimitReached | null {
  const limit = limits[kind];
  return limit === 0 || kept < limit ? null : { kind: "limit_reached", limit, what: KEPT[kind].what };
}

export function isLimitReached(answer: unknown): answer is LimitReached {
  return (answer as { kind?: unknown } | null)?.kind === "limit_reached";
}
