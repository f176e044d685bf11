import { hash } from "node:crypto";
import { ACCESS_LIMITS } from "../../domain/vocabulary/access-limits.js";
import { createMinuteTable } from "../../path/access/rate-window.js";

/**
 * RATE-10: counts an account's wrong passwords and codes in the current minute, from all sources together. An unknown
 * address is counted like any other, so that the limit does not reveal who has an account.
 */
export function createSignInFailures(limitPerMinute: number) {
  const countsAt = createMinuteTable<number>();
  return {
    limitPerMinute,
    /** Returns whether a password of this account may be tried. A limit of 0 means no limit. */
    mayTry: (account: string, nowMs: number): boolean =>
      limitPerMinute === 0 || (countsAt(nowMs).get(account) ?? 0) < limitPerMinute,
    count(account: string, nowMs: number): void {
      const failed = countsAt(nowMs);
      const before = failed.get(account);
      if (before === undefined && failed.size >= ACCESS_LIMITS.signInAccountsMax) return;
      failed.set(account, (before ?? 0) + 1);
    },
    /** Takes back one failure that was counted at `countedAtMs`, unless that minute is over. */
    forgive(account: string, countedAtMs: number, nowMs: number): void {
      if (Math.floor(countedAtMs / 60_000) !== Math.floor(nowMs / 60_000)) return;
      const failed = countsAt(nowMs);
      const counted = failed.get(account);
      if (counted !== undefined) failed.set(account, counted - 1);
    },
  };
}

export type SignInFailures = ReturnType<typeof createSignInFailures>;

/** Addresses are compared without regard to case. The address itself is not kept. */
export function accountOf(email: string): string {
  return hash("sha256", email.toLowerCase(), "base64");
}
