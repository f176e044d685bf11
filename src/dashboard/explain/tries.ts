import type { HealthSnapshot, NewPolicy } from "../../client/wire-types.js";
import type { Action, HealthState } from "../../domain/vocabulary/vocabulary.js";

/** DASH-24: tries use a merchant of their own, so that the policies of the workspace's merchants do not change. */
export const TRY_MERCHANT = "try_merchant";

type TryRule = NewPolicy["rules"][number]["then"];

interface Try {
  /** Minor units of USD. The policy of TRY_MERCHANT decides by the exact amount. */
  amountMinor: number;
  /** The health of the provider at which an earlier attempt timed out. Null: there was no earlier attempt. */
  timedOutAt: "sound" | "failing" | null;
  /** The rule for the amount. Null: no rule is needed. */
  rule: ((providers: readonly string[]) => TryRule) | null;
  because: string;
}

/** The values that force each instruction. docs/tries.md has the same table. */
export const TRIES = {
  route: { amountMinor: 10_000, timedOutAt: null, rule: null, because: "no rule matches" },
  use_default_route: {
    amountMinor: 10_100,
    timedOutAt: null,
    rule: (providers) => ({ type: "exclude_provider", providers: [...providers] }),
    because: "a rule excludes every provider, and the policy names a default",
  },
  step_up: {
    amountMinor: 10_200,
    timedOutAt: null,
    rule: () => ({ type: "step_up" }),
    because: "a rule steps up",
  },
  hold: { amountMinor: 10_300, timedOutAt: null, rule: () => ({ type: "hold" }), because: "a rule holds" },
  retry: {
    amountMinor: 10_400,
    timedOutAt: "sound",
    rule: () => ({ type: "retry_on_timeout" }),
    because: "a rule retries, after a timeout at a provider that is well",
  },
  failover: {
    amountMinor: 10_500,
    timedOutAt: "failing",
    rule: null,
    because: "a timeout at a provider that is degraded, critical or unavailable",
  },
  block: { amountMinor: 10_600, timedOutAt: null, rule: () => ({ type: "block" }), because: "a rule blocks" },
} as const satisfies Record<Action, Try>;

/** All instructions, in the order of TRIES. */
export const TRY_ACTIONS = Object.keys(TRIES) as Action[];

/** The policy of TRY_MERCHANT. */
export function tryPolicy(providers: readonly string[]): NewPolicy {
  const [first] = providers;
  return {
    merchant_id: TRY_MERCHANT,
    name: "Tries",
    ...(first === undefined ? {} : { default_provider: first }),
    rules: TRY_ACTIONS.flatMap((action) => {
      const { amountMinor, rule }: Try = TRIES[action];
      if (rule === null) return [];
      const when = { currency_in: ["USD"], amount_gte: amountMinor, amount_lte: amountMinor };
      return [{ name: `Try ${action}`, when, then: rule(providers) }];
    }),
  };
}

/** ACT-13: the states from which a payment fails over. */
const IS_FAILING = {
  healthy: false,
  watch: false,
  unknown: false,
  degraded: true,
  critical: true,
  unavailable: true,
} as const satisfies Record<HealthState, boolean>;
const SEGMENT = ":card:USD";

/**
 * Returns the body of a POST /v1/decision that leads to the instruction. Null if the providers do not have the
 * necessary health. `health` must be from test mode.
 */
export function tryRequest(
  action: Action,
  providers: readonly string[],
  health: readonly HealthSnapshot[],
  orderId: string,
): Record<string, unknown> | null {
  const { amountMinor, timedOutAt }: Try = TRIES[action];
  const isFailing = (provider: string): boolean => {
    const snapshot = health.find(({ segment_key }) => segment_key === provider + SEGMENT);
    return snapshot !== undefined && IS_FAILING[snapshot.state];
  };
  const failed = providers.find((provider) => isFailing(provider) === (timedOutAt === "failing"));
  const others = providers.filter((provider) => !isFailing(provider) && provider !== failed);
  if (timedOutAt !== null && (failed === undefined || others.length === 0)) return null;
  return {
    merchant_id: TRY_MERCHANT,
    order_id: orderId,
    transaction: { amount: amountMinor, currency: "USD", country: "US", payment_method: "card" },
    available_providers: [...providers],
    ...(timedOutAt === null ? {} : { previous_attempt: { provider: failed, outcome: "timeout" } }),
  };
}
