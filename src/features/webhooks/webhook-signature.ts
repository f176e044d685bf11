import { createHmac, timingSafeEqual } from "node:crypto";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { WEBHOOK_SECRET_PATTERN } from "./wire/webhook-secret-pattern.js";

/** The three headers of Standard Webhooks as they arrived. */
export interface WebhookHeaders {
  id: string | undefined;
  timestamp: string | undefined;
  signature: string | undefined;
}

const ID = /^[\x21-\x7e]{1,255}$/;
const TIMESTAMP = /^\d{1,12}$/;
const SIGNATURE = /^v1,([A-Za-z0-9+/]{43}=)$/;
const SECRET = new RegExp(WEBHOOK_SECRET_PATTERN);
const SECRET_PREFIX = "whsec_";

/** Returns the signing key of a `whsec_…` secret, or null when it is malformed (HOOK-4: base64 of 24–64 bytes). */
export function signingKeyOf(secret: string): Buffer | null {
  return SECRET.test(secret) ? Buffer.from(secret.slice(SECRET_PREFIX.length), "base64") : null;
}

/** The claims of a webhook in a form that can be checked. */
export interface SignedWebhook {
  id: string;
  /** Unix milliseconds. */
  timestampMs: number;
  signatures: readonly Buffer[];
  /** The bytes that the signature covers. */
  signed: Buffer;
}

export function readSignedWebhook(headers: WebhookHeaders, body: Uint8Array): SignedWebhook | null {
  const { id = "", timestamp = "", signature = "" } = headers;
  // The header may list several signatures. Those of other versions are ignored.
  const signatures = signature
    .split(" ")
    .slice(0, LIMITS.webhookSignaturesMax)
    .flatMap((part) => {
      const base64 = SIGNATURE.exec(part)?.[1];
      return base64 === undefined ? [] : [Buffer.from(base64, "base64")];
    });
  if (!ID.test(id) || !TIMESTAMP.test(timestamp) || signatures.length === 0) return null;
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`, "latin1"), body]);
  return { id, timestampMs: Number(timestamp) * 1000, signatures, signed };
}

/** True when one of the signatures was made with `key`. All of them are compared, each in constant time. */
export function isSignedWith({ signed, signatures }: SignedWebhook, key: Buffer): boolean {
  const expected = createHmac("sha256", key).update(signed).digest();
  let matches = false;
  for (const signature of signatures) matches = timingSafeEqual(signature, expected) || matches;
  return matches;
}
