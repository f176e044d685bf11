import { hash, randomBytes } from "node:crypto";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { base32 } from "./totp.js";

/** 80 random bits need no salt and no slow hash. */
const BYTES = 10;

/** Makes codes in the shown form, like `abcd-efgh-ijkl-mnop`. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: LIMITS.recoveryCodes }, () =>
    (base32(randomBytes(BYTES)).toLowerCase().match(/.{4}/g) ?? []).join("-"),
  );
}

/** SHA-256 of the code. The case and the spaces of the typed text do not matter. */
export function hashRecoveryCode(code: string): Buffer {
  return hash("sha256", plainCode(code), "buffer");
}

/** A code as typed, without spaces and hyphens, in lower case. */
export function plainCode(code: string): string {
  return code.replaceAll(/[\s-]/g, "").toLowerCase();
}
