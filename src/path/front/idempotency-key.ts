import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { RequestHead } from "../../platform/http/request-head.js";
import type { ValidationIssue } from "../../platform/wire/validation-issue.js";

/**
 * uWebSockets.js' parser alters characters outside ASCII: it cuts bytes over 0x7f off both ends of a header's value,
 * and turns bytes that are not UTF-8 into U+FFFD. So two keys of a client that sends Latin-1 could become equal.
 */
const PRINTABLE_ASCII = /^[ -~]*$/;

/**
 * IDEM-1, IDEM-9: the issue of a key that is empty, over 255 characters, given twice or not printable ASCII (400). Null
 * for a valid or absent key.
 */
export function idempotencyKeyIssue({
  idempotencyKey: key,
  repeatsIdempotencyKey,
}: Pick<RequestHead, "idempotencyKey" | "repeatsIdempotencyKey">): ValidationIssue | null {
  if (key === undefined) return null;
  const path = "headers.idempotency-key";
  if (repeatsIdempotencyKey) return { path, code: "custom", message: "Must be given once" };
  if (key.length === 0) return { path, code: "too_small", message: "Must hold at least 1 character(s)" };
  if (key.length > LIMITS.idempotencyKeyCharsMax) {
    return {
      path,
      code: "too_big",
      message: `Must hold at most ${LIMITS.idempotencyKeyCharsMax} character(s)`,
    };
  }
  if (!PRINTABLE_ASCII.test(key))
    return { path, code: "invalid_string", message: "Must hold printable ASCII characters" };
  return null;
}

/** IDEM-3, IDEM-5: the headers of a repeated answer. */
export const REPLAYED = [["idempotency-replayed", "true"]] as const;
export const REPLAYED_FOR_ANOTHER_BODY = [...REPLAYED, ["idempotency-body-mismatch", "true"]] as const;
