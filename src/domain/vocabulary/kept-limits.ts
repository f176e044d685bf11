/** The default limits on what a workspace keeps forever. A deployment's settings may change them. 0 means no limit. */
export const KEPT = {
  merchants: { max: 10_000, what: "merchants" },
  policies: { max: 1000, what: "policies per merchant" },
  contracts: { max: 1000, what: "contracts per merchant" },
  apiKeys: { max: 1000, what: "API keys" },
  invitations: { max: 1000, what: "pending invitations" },
  webhookSecrets: { max: 10_000, what: "webhook secrets" },
} as const satisfies Record<string, { max: number; what: string }>;

export type KeptKind = keyof typeof KEPT;
export type KeptLimits = Readonly<Record<KeptKind, number>>;

/** SET-14: the API answers 409, with a message that names the limit. */
export interface LimitReached {
  kind: "limit_reached";
  limit: number;
  what: string;
}

/**
 * Returns the refusal if one more item would exceed the limit, or else null. Hold a lock that prevents concurrent
 * inserts.
 */
export function limitReached(limits: KeptLimits, kind: KeptKind, kept: number): LimitReached | null {
  const limit = limits[kind];
  return limit === 0 || kept < limit ? null : { kind: "limit_reached", limit, what: KEPT[kind].what };
}

export function isLimitReached(answer: unknown): answer is LimitReached {
  return (answer as { kind?: unknown } | null)?.kind === "limit_reached";
}
