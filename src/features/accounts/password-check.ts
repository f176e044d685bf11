import { ACCESS_LIMITS } from "../../domain/vocabulary/access-limits.js";
import type { ApiError } from "../../platform/http/api-error.js";
import type { SessionAuthentication } from "../../path/access/sessions.js";
import type { PasswordQueue } from "./password-queue.js";
import { accountOf, type SignInFailures } from "./sign-in-failures.js";

export const PASSWORDS_FULL: ApiError = {
  kind: "unavailable",
  message: "Too many passwords are being checked right now",
};

/** RATE-10: the answer to too many wrong passwords of one account. */
export const TOO_MANY_FAILURES: ApiError = {
  kind: "rate_limited",
  limitPerMinute: ACCESS_LIMITS.signInFailuresPerMinute,
};

/** The request that presents a password: its origin and its session. */
export interface Showing {
  /** The address that the request comes from, as the rate limits count it. */
  source: string;
  /** The session token of the request, if any. */
  presentedToken: string | null;
  /** The browser and system, as `deviceOf` names them, or null. */
  device: string | null;
}

export interface PasswordCheckOptions {
  passwords: PasswordQueue;
  failures: SignInFailures;
  checkSession(token: string, nowMs: number): Promise<SessionAuthentication>;
  onRateLimited(): void;
  /** Unix milliseconds. */
  now(): number;
}

/**
 * Hashes and compares passwords. Waiting work is served round-robin by owner, so one owner's guesses delay nobody else.
 */
export function createPasswordCheck(options: PasswordCheckOptions) {
  const { passwords, failures, checkSession, onRateLimited, now } = options;

  /**
   * Returns the key of the presented session if the session is alive and belongs to this user. Sessions have their own
   * place in the line and their own failures. Guesses at an account therefore do not delay its holder.
   */
  const ownSession = async (token: string | null, userId: string | null): Promise<string | null> => {
    if (token === null || userId === null) return null;
    const principal = await checkSession(token, now());
    return typeof principal !== "string" && principal.userId === userId ? principal.sessionKey : null;
  };

  /** A session's failures count against that session, so that a stolen one cannot guess without limit. */
  const accountFor = (email: string, session: string | null): string =>
    session === null ? accountOf(email) : `session ${session}`;

  return {
    /** Returns the Argon2id hash in PHC format. */
    hash: (password: string, { source }: Showing): Promise<{ passwordHash: string } | "full"> =>
      passwords.inTurn({ owner: source, isKnown: false }, async (work) => ({
        passwordHash: await work.hash(password),
      })),

    /** `user` is null when nobody has the address. The password then counts as wrong, after the same work as usual. */
    async isRight(
      { email, password }: { email: string; password: string },
      user: { userId: string; passwordHash: string } | null,
      showing: Showing,
    ): Promise<boolean | "full" | "too_many_failures"> {
      const session = await ownSession(showing.presentedToken, user?.userId ?? null);
      const account = accountFor(email, session);
      const asker = { owner: session ?? showing.source, isKnown: session !== null };
      const mayTry = (): boolean => failures.mayTry(account, now());
      const answer = !mayTry()
        ? ("too_many_failures" as const)
        : await passwords.inTurn(asker, async (work) => {
            // The requests ahead in the line may have used up the remaining failures.
            if (!mayTry()) return "too_many_failures" as const;
            const isRight = await work.verify(password, user?.passwordHash ?? null);
            if (!isRight) failures.count(account, now());
            return isRight;
          });
      if (answer === "too_many_failures") onRateLimited();
      return answer;
    },

    /**
     * Tries a one-time code. The attempt counts as a failure until the code is known to be right. Parallel attempts
     * therefore allow no more guesses than successive ones.
     */
    async tryCode(
      email: string,
      userId: string,
      showing: Showing,
      use: () => Promise<boolean | "unavailable">,
    ): Promise<boolean | "too_many_failures" | "unavailable"> {
      const account = accountFor(email, await ownSession(showing.presentedToken, userId));
      const triedAtMs = now();
      if (!failures.mayTry(account, triedAtMs)) {
        onRateLimited();
        return "too_many_failures";
      }
      failures.count(account, triedAtMs);
      const isRight = await use();
      if (isRight !== false) failures.forgive(account, triedAtMs, now());
      return isRight;
    },
  };
}

export type PasswordCheck = ReturnType<typeof createPasswordCheck>;
