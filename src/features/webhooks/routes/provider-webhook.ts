import type { WebhookReceiptBody } from "../wire/integration-response-schema.js";
import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { parseWebhookBody, type WebhookBody } from "../wire/webhook-schema.js";
import type { RouteKeys, SigningKey } from "../webhook-secrets.js";
import { isSignedWith, readSignedWebhook, type SignedWebhook } from "../webhook-signature.js";
import type { WebhookEvent } from "../queries/webhook-event.js";
import type { RateWindow } from "../../../path/access/rate-window.js";
import { isId } from "../../../domain/ids/ids.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { TUNING } from "../../../domain/vocabulary/tuning.js";
import type { ApiError } from "../../../platform/http/api-error.js";
import { refusalOfCoding, refusalOfForm } from "../../../platform/http/request-head.js";
import { collectBody } from "../../../platform/http/body-reader.js";
import { refusalOfStatus } from "../../../path/front/status-refusal.js";
import { refusalOfRepeatedKey, unknownParameters } from "../../../path/front/head-refusal.js";
import { decodeMerchantSegment } from "../../../platform/http/merchant-segment.js";
import type { Exchange } from "../../../platform/http/exchange.js";
import { createTurns } from "../../../platform/http/line.js";
import type { PublicRoute } from "../../../path/front/route.js";
import { sourceAddress } from "../../../platform/http/source-address.js";

export interface ProviderWebhookDependencies {
  /**
   * Finds the keys that may have signed for a provider and merchant. When the sender names a workspace, only its keys
   * count. Null if the keys cannot be read at present.
   */
  keysOf(provider: string, merchantId: string, workspaceId: string | null, nowMs: number): RouteKeys | null;
  /**
   * Resolves once the event is durable. False for an id received before. `refused` means that PostgreSQL will never
   * accept the event.
   */
  store(event: WebhookEvent): Promise<boolean | "refused" | "unavailable">;
  /** One counter per source address and route. */
  rateWindow: RateWindow;
  onRateLimited(): void;
  trustProxyHops: number;
  providers: readonly string[];
  /** The 26 characters of a new id. */
  nextId(): string;
  /** Unix milliseconds. */
  now(): number;
}

const UNAVAILABLE: ApiError = {
  kind: "unavailable",
  message: "Webhooks cannot be stored right now",
};

const TOO_MANY: ApiError = {
  kind: "unavailable",
  message: "Too many large webhooks are waiting to be read",
};

/** HOOK-15: the signature may be valid, and after a 503 the provider delivers again. A 401 would make it give up. */
const UNVERIFIABLE: ApiError = {
  kind: "unavailable",
  message: "Webhooks of this route cannot be verified right now",
};

/** This key is compared if the route has none, so that an unknown merchant is not answered sooner than a known one. */
const NOBODYS_KEY = randomBytes(32);

/**
 * POST /v1/provider-webhooks/:providerSlug/:merchantId, HOOK-1, follows Standard Webhooks. The signature is checked
 * over the raw bytes before anything else is read from them. Until the signature holds, every answer is the same 401,
 * or 503 when a secret that may match cannot be opened.
 */
export function providerWebhookRoute(dependencies: ProviderWebhookDependencies): PublicRoute {
  const { keysOf, store, rateWindow, providers, nextId, now } = dependencies;
  const largeBodies = createTurns(TUNING.largeBodiesWaitingMax);

  const accept = async (
    exchange: Exchange,
    { provider, merchantId, bytes }: ReceivedWebhook,
  ): Promise<void> => {
    const { head } = exchange;
    const nowMs = now();
    const candidates = keysOf(provider ?? "", merchantId ?? "", workspaceNamed(head.workspace), nowMs);
    if (candidates === null) return exchange.fail(UNAVAILABLE);

    const webhook = readSignedWebhook(signatureHeaders(head), bytes);
    if (webhook === null) return exchange.fail({ kind: "invalid_webhook" });
    const isFresh = Math.abs(nowMs - webhook.timestampMs) <= LIMITS.webhookClockSkewMs;
    if (!isFresh) return exchange.fail({ kind: "invalid_webhook" });
    const signer = await signerOf(webhook, candidates.keys);
    if (exchange.done) return;
    if (signer === null || provider === null || merchantId === null) {
      return exchange.fail(candidates.hasClosed ? UNVERIFIABLE : { kind: "invalid_webhook" });
    }
    // HOOK-10: only a sender with the secret learns this status. As after any refusal, the provider delivers again.
    const { workspaceStatus } = signer;
    if (workspaceStatus !== "active") return exchange.fail(refusalOfStatus(workspaceStatus));

    const refusal = unknownParameters(route, exchange) ?? refusalOfRepeatedKey(head) ?? refusalOfForm(head);
    if (refusal !== null) return exchange.fail(refusal);
    const parsed = parseWebhookBody(bytes);
    if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
    const body = parsed.value;
    const stored = await store({
      workspaceId: signer.workspaceId,
      merchantId,
      provider,
      webhookId: webhook.id,
      type: body.type,
      occurredAtMs: body.createdAtMs ?? nowMs,
      receivedAtMs: nowMs,
      data: dataOf(body),
      fee: feeOf(body, nextId),
      incident: body.incident,
    });
    if (stored === "unavailable") return exchange.fail(UNAVAILABLE);
    // DUR-14: a refused event is answered 200. Otherwise the provider would repeat it for days, always in vain.
    const isAccepted = body.isKnownType && stored !== "refused";
    const status = stored === false ? "duplicate" : isAccepted ? "accepted" : "ignored";
    exchange.send(200, JSON.stringify({ status } satisfies WebhookReceiptBody));
  };

  const route: PublicRoute = {
    method: "POST",
    path: "/v1/provider-webhooks/:providerSlug/:merchantId",
    access: "public",
    // The query is checked after the signature, because without a valid one every request gets the same 401.
    refusesUnknownQuery: "handler",
    async handle(exchange, [providerSlug = "", merchantSegment = ""]) {
      const { head } = exchange;
      const provider = providers.includes(providerSlug) ? providerSlug : null;
      const merchantId = decodeMerchantSegment(merchantSegment);
      const address = sourceAddress(exchange.peerAddress(), head.forwardedFor, dependencies.trustProxyHops);
      // All paths that cannot be a route share one counter, so that made-up paths do not fill the window.
      const principal = `${address} ${provider ?? ""}/${merchantId ?? ""}`;
      const collecting = collectBody(exchange, LIMITS.largeBodyBytesMax);
      if (!(await rateWindow.take(principal, now()))) {
        dependencies.onRateLimited();
        return exchange.fail({ kind: "rate_limited", limitPerMinute: rateWindow.limitPerMinute });
      }
      const coded = refusalOfCoding(head);
      const bytes = coded === null ? await collecting : null;
      if (bytes === null) return exchange.fail(coded ?? { kind: "body_too_large" });
      const webhook = { provider, merchantId, bytes };
      if (bytes.byteLength <= LIMITS.smallBodyBytesMax) return accept(exchange, webhook);
      // Only the signature shows which workspace the webhook is for. Until it is checked, sources take turns.
      const work = (): void | Promise<void> => (exchange.done ? undefined : accept(exchange, webhook));
      return largeBodies(address, work, () => exchange.fail(TOO_MANY));
    },
  };
  return route;
}

const signatureHeaders = (head: Exchange["head"]): Parameters<typeof readSignedWebhook>[0] => ({
  id: head.webhookId,
  timestamp: head.webhookTimestamp,
  signature: head.webhookSignature,
});

/** HOOK-16: a header that cannot be a workspace's id names a workspace that does not exist. */
function workspaceNamed(header: string | undefined): string | null {
  if (header === undefined) return null;
  return isId(header, "ws") ? header : "";
}

/** `provider` and `merchantId` are null when the path names none that can exist. */
interface ReceivedWebhook {
  provider: string | null;
  merchantId: string | null;
  bytes: Uint8Array;
}

/** Returns the key that signed the webhook. If several workspaces share it, an active one comes first. */
async function signerOf(webhook: SignedWebhook, keys: readonly SigningKey[]): Promise<SigningKey | null> {
  if (keys.length === 0) isSignedWith(webhook, NOBODYS_KEY);
  const signers: SigningKey[] = [];
  for (const key of keys) {
    if (isSignedWith(webhook, key.key)) signers.push(key);
    // A mebibyte takes 0.75 ms per key, and a route may have eighty keys. Decisions run in between.
    if (webhook.signed.byteLength > LIMITS.smallBodyBytesMax) await nextTurn();
  }
  return signers.find(({ workspaceStatus }) => workspaceStatus === "active") ?? signers[0] ?? null;
}

/** Keeps only the known fields. */
function dataOf({ fee, incident }: WebhookBody): string | null {
  const known = fee ?? incident;
  return known === null ? null : JSON.stringify(known);
}

function feeOf({ fee }: WebhookBody, nextId: () => string): WebhookEvent["fee"] {
  if (fee === null) return null;
  return {
    feeId: nextId(),
    paymentMethod: fee.payment_method,
    cardNetwork: fee.card_network ?? null,
    country: fee.country ?? null,
    currency: fee.currency,
    amountMinor: fee.amount,
    feeMinor: fee.fee_minor,
  };
}
