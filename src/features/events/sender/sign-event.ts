import { createHmac } from "node:crypto";

const SECRET_PREFIX = "whsec_";

/** The headers of Standard Webhooks for one attempt. `atMs` is Unix milliseconds. */
export function signedHeaders(
  { eventId, body, secret }: { eventId: string; body: string; secret: string },
  atMs: number,
): Readonly<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>> {
  const timestamp = String(Math.floor(atMs / 1000));
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  const signature = createHmac("sha256", key).update(`${eventId}.${timestamp}.${body}`).digest("base64");
  return {
    "webhook-id": eventId,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
}
