import { hashSync, verifySync } from "@node-rs/argon2";

/** Argon2id (RFC 9106), PHC format; parameters are OWASP's first recommendation: 19 MiB, 2 passes, 1 lane. */
const PARAMETERS = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const;

/** Of no known password; to be compared with where there is no user, at the cost of a real one. */
export const NOBODYS_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$rwyPu6hzFL43cBwFuXyPRg$32pbBI+9tnpGl7PYxjIvv78SIRNAqLBnv1YiVx0qeIY";

/**
 * Takes the calling thread 10 ms: requests go through features/accounts/password-thread.ts. Not on libuv's threads, which have the
 * priority of the front's.
 */
export function hashPassword(password: string): string {
  return hashSync(normalized(password), PARAMETERS);
}

/** ACC-2: one keyboard sends "é" as a letter, another as "e" and an accent. NFC, as RFC 8265 §4.2 has it. */
function normalized(password: string): string {
  return password.normalize("NFC");
}

/** False where `passwordHash` is null, after the same work: the time must not tell who has an account. */
export function verifyPassword(password: string, passwordHash: string | null): boolean {
  const isRight = verifySync(passwordHash ?? NOBODYS_HASH, normalized(password));
  return isRight && passwordHash !== null;
}
