import type { PricingContract } from "./pricing-contract.js";

type Period = Pick<PricingContract, "version" | "from_ms" | "to_ms" | "replace">;

/** The status of a contract at one moment. */
export type ContractStatus = "active" | "scheduled" | "expired" | "replaced";

/**
 * The version of the newest replacing contract that has begun by `nowMs`, or 0. That contract has ended all earlier
 * ones.
 */
function replacedBelow(contracts: readonly Period[], nowMs: number): number {
  let version = 0;
  for (const contract of contracts) {
    if (contract.replace && contract.from_ms <= nowMs) version = Math.max(version, contract.version);
  }
  return version;
}

/**
 * PRICE-1, `replace`: the status of each contract follows from dates alone, so a contract starts and ends on every
 * worker in the same millisecond. A replaced contract stays replaced after the replacing contract ends.
 */
export function statusesAt(contracts: readonly Period[], nowMs: number): ContractStatus[] {
  const floor = replacedBelow(contracts, nowMs);
  return contracts.map(({ version, from_ms, to_ms }) => {
    if (version < floor) return "replaced";
    if (to_ms !== null && to_ms <= nowMs) return "expired";
    return from_ms <= nowMs ? "active" : "scheduled";
  });
}

/** The contracts in effect at `nowMs`, ordered by version. */
export function contractsInEffect(contracts: readonly PricingContract[], nowMs: number): PricingContract[] {
  const statuses = statusesAt(contracts, nowMs);
  return contracts
    .filter((_, position) => statuses[position] === "active")
    .toSorted((a, b) => a.version - b.version);
}

/**
 * The period around `nowMs` in which the contracts in effect do not change. Both bounds are Unix milliseconds. The
 * period includes `fromMs`, but not `untilMs`.
 */
export function periodAround(
  contracts: readonly Period[],
  nowMs: number,
): { fromMs: number; untilMs: number } {
  let fromMs = Number.NEGATIVE_INFINITY;
  let untilMs = Number.POSITIVE_INFINITY;
  for (const { from_ms, to_ms } of contracts) {
    for (const atMs of to_ms === null ? [from_ms] : [from_ms, to_ms]) {
      if (atMs <= nowMs) fromMs = Math.max(fromMs, atMs);
      else untilMs = Math.min(untilMs, atMs);
    }
  }
  return { fromMs, untilMs };
}
