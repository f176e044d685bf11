import { hashSync, verifySync } from "@node-rs/argon2";

/**
 * Argon2id (RFC 9106) with OWASP's first recommended parameters: 19 MiB, 2 passes, 1 lane. Hashes are in PHC format.
 */
const PARAMETERS = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const;

/** The hash of an unknown password. Without a user, this hash is compared, at the cost of a real comparison. */
export const NOBODYS_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$rwyPu6hzFL43cBwFuXyPRg$32pbBI+9tnpGl7PYxjIvv78SIRNAqLBnv1YiVx0qeIY";

/**
 * Blocks the calling thread for 10 ms, so call it through features/accounts/password-thread.ts. The library's
 * asynchronous functions run on libuv's threads, which have the front thread's priority.
 */
export function hashPassword(password: string): string {
  return hashSync(normalized(password), PARAMETERS);
}

/** ACC-2: one keyboard sends "é" as one letter, another as "e" and an accent. RFC 8265 §4.2 normalizes both to NFC. */
function normalized(password: string): string {
  return password.normalize("NFC");
}

/**
 * Returns false when `passwordHash` is null, after the same work as for a real hash. The duration must not reveal who
 * has an account.
 */
export function verifyPassword(password: string, passwordHash: string | null): boolean {
  const isRight = verifySync(passwordHash ?? NOBODYS_HASH, normalized(password));
  return isRight && passwordHash !== null;
}
