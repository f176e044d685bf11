import { hash } from "@node-rs/argon2";

/** Argon2id (RFC 9106), PHC format; parameters are OWASP's first recommendation: 19 MiB, 2 passes, 1 lane. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 });
}
