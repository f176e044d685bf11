import { createHmac, randomUUID } from "node:crypto";
import { assertDocumented } from "../http/documented.js";
import type { Reply, RunningService } from "./service.js";

export const WEBHOOK_SECRET_KEY = "0123456789abcdef0123456789abcdef";

/** A webhook secret as a provider holds it. Equal seeds give equal secrets. */
export function secretOf(seed: string): string {
  return `whsec_${createHmac("sha256", "test").update(seed).digest("base64")}`;
}

/** The signature as in Standard Webhooks: `v1,<base64>`. */
export function signatureOf(secret: string, id: string, timestamp: number | string, body: string): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
}

export function feeBody(data: object = {}, changes: object = {}): string {
  return JSON.stringify({
    type: "payment.fee_assessed",
    created_at: new Date().toISOString(),
    data: { payment_method: "card", currency: "USD", amount: 10_000, fee_minor: 320, ...data },
    ...changes,
  });
}

export interface WebhookOptions {
  merchantId?: string;
  provider?: string;
  id?: string;
  timestamp?: number | string;
  body?: string;
  secret?: string;
  /** Replaces headers. A header with the value undefined is left out. */
  headers?: Readonly<Record<string, string | undefined>>;
}

/** Sends one webhook, signed as its provider would sign it. */
export async function sendWebhook(service: RunningService, options: WebhookOptions): Promise<Reply> {
  const {
    merchantId = "shop",
    provider = "provider_1",
    id = randomUUID(),
    timestamp = Math.floor(Date.now() / 1000),
    body = feeBody(),
    secret = secretOf("shop"),
  } = options;
  const headers: Record<string, string | undefined> = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatureOf(secret, id, timestamp, body),
    ...options.headers,
  };
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  );
  const url = `${service.url}/v1/provider-webhooks/${provider}/${merchantId}`;
  const response = await fetch(url, {
    method: "POST",
    headers: sent,
    body,
  });
  const text = await response.text();
  const { status } = response;
  const contentType = response.headers.get("content-type");
  await assertDocumented(url, "POST", { status, contentType, text });
  return {
    status,
    headers: response.headers,
    text,
    json: JSON.parse(text) as Record<string, unknown>,
  };
}
