import { hash } from "node:crypto";
import { ACCESS_LIMITS } from "../../domain/vocabulary/access-limits.js";
import { createMinuteTable } from "../../path/access/minute-table.js";

/**
 * RATE-10: wrong passwords of one account in the current minute, wherever they come from. An address that nobody has is
 * counted like any other, so that the limit tells nobody who has an account.
 */
export function createSignInFailures(limitPerMinute: number) {
  const countsAt = createMinuteTable<number>();
  return {
    limitPerMinute,
    /** Whether a password of this account may be tried; always where the limit is 0. */
    mayTry: (account: string, nowMs: number): boolean =>
      limitPerMinute === 0 || (countsAt(nowMs).get(account) ?? 0) < limitPerMinute,
    count(account: string, nowMs: number): void {
      const failed = countsAt(nowMs);
      const before = failed.get(account);
      if (before === undefined && failed.size >= ACCESS_LIMITS.signInAccountsMax) return;
      failed.set(account, (before ?? 0) + 1);
    },
  };
}

export type SignInFailures = ReturnType<typeof createSignInFailures>;

/** Compared without case, as addresses are; no address is kept. */
export function accountOf(email: string): string {
  return hash("sha256", email.toLowerCase(), "base64");
}
