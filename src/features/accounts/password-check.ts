import { ACCESS_LIMITS } from "../../domain/vocabulary/access-limits.js";
import type { ApiError } from "../../platform/http/api-error.js";
import type { SessionAuthentication } from "../../path/access/sessions.js";
import type { PasswordQueue } from "./password-queue.js";
import { accountOf, type SignInFailures } from "./sign-in-failures.js";

export const PASSWORDS_FULL: ApiError = {
  kind: "unavailable",
  message: "Too many passwords are being checked right now",
};

/** RATE-10 */
export const TOO_MANY_FAILURES: ApiError = {
  kind: "rate_limited",
  limitPerMinute: ACCESS_LIMITS.signInFailuresPerMinute,
};

/** Who shows a password. */
export interface Showing {
  /** Where the request comes from, as limits count it. */
  source: string;
  /** Of the session that the request brings, if any. */
  presentedToken: string | null;
}

export interface PasswordCheckOptions {
  passwords: PasswordQueue;
  failures: SignInFailures;
  checkSession(token: string, nowMs: number): Promise<SessionAuthentication>;
  onRateLimited(): void;
  /** Unix milliseconds. */
  now(): number;
}

/** Hashes and compares passwords, in a line where nobody waits for another's guesses. */
export function createPasswordCheck(options: PasswordCheckOptions) {
  const { passwords, failures, checkSession, onRateLimited, now } = options;

  /** The session that is shown, where it lives and is this user's: its holder is not held up by guesses at the account. */
  const ownSession = async (token: string | null, userId: string | null): Promise<string | null> => {
    if (token === null || userId === null) return null;
    const principal = await checkSession(token, now());
    return typeof principal !== "string" && principal.userId === userId ? principal.sessionKey : null;
  };

  return {
    /** Argon2id in PHC format. */
    hash: (password: string, { source }: Showing): Promise<{ passwordHash: string } | "full"> =>
      passwords.inTurn({ owner: source, isKnown: false }, async (work) => ({
        passwordHash: await work.hash(password),
      })),

    /** `user` is null where nobody has the address: false, after the same work. */
    async isRight(
      { email, password }: { email: string; password: string },
      user: { userId: string; passwordHash: string } | null,
      showing: Showing,
    ): Promise<boolean | "full" | "too_many_failures"> {
      const session = await ownSession(showing.presentedToken, user?.userId ?? null);
      // Its own failures count by themselves, so that a session that was taken is no way to guess.
      const account = session === null ? accountOf(email) : `session ${session}`;
      const asker = { owner: session ?? showing.source, isKnown: session !== null };
      const mayTry = (): boolean => failures.mayTry(account, now());
      const answer = !mayTry()
        ? ("too_many_failures" as const)
        : await passwords.inTurn(asker, async (work) => {
            // Those before it in the line may have used up what there was.
            if (!mayTry()) return "too_many_failures" as const;
            const isRight = await work.verify(password, user?.passwordHash ?? null);
            if (!isRight) failures.count(account, now());
            return isRight;
          });
      if (answer === "too_many_failures") onRateLimited();
      return answer;
    },
  };
}

export type PasswordCheck = ReturnType<typeof createPasswordCheck>;
