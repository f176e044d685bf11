import { hash } from "node:crypto";
import { ACCESS_LIMITS } from "../../domain/vocabulary/access-limits.js";

const MINUTE_MS = 60_000;

/**
 * RATE-10: wrong passwords of one account in the current minute, wherever they come from. An address that nobody has is
 * counted like any other, so that the limit tells nobody who has an account.
 */
export function createSignInFailures(limitPerMinute: number) {
  let minute = 0;
  // A new one each minute: V8 keeps what a long-lived table has held (docs/decisions/0012-no-long-lived-hash-tables.md).
  let counts = new Map<string, number>();

  const countsAt = (nowMs: number): Map<string, number> => {
    const current = Math.floor(nowMs / MINUTE_MS);
    if (current !== minute) {
      minute = current;
      counts = new Map();
    }
    return counts;
  };

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
