import type { ApplyChangesNow } from "../../../path/changes/change-queries.js";
import type { RateWindow } from "../../../path/access/rate-window.js";
import type { Route } from "../../../path/front/route.js";
import type { KeptLimits } from "../../../domain/vocabulary/kept-limits.js";
import type { SecretBox } from "../../../platform/node/secret-box.js";
import {
  createBoundedWork,
  type BoundedWork,
  type BoundedWorkOptions,
} from "../../../platform/postgres/bounded-work.js";
import { refusalKind } from "../../../platform/postgres/refusal-kind.js";
import type { TenantDb } from "../../../platform/postgres/tenant-db.js";
import type { Logger } from "../../../platform/telemetry/logger.js";
import type { Metrics } from "../../../platform/telemetry/metrics.js";
import { insertWebhookEvent } from "../queries/webhook-event.js";
import { listIntegrations, rotateWebhookSecret, secretKeyOf } from "../queries/webhook-secret.js";
import { listIntegrationsRoute } from "./list-integrations.js";
import { providerWebhookRoute, type ProviderWebhookDependencies } from "./provider-webhook.js";
import { webhookSecretRoute, type WebhookSecretDependencies } from "./webhook-secret.js";
import { secretContext, type WebhookKeys } from "../webhook-secrets.js";

export interface WebhookRoutesParts extends BoundedWorkOptions {
  tenants: TenantDb;
  webhookKeys: WebhookKeys;
  /** False while this node may still lack a secret. */
  hasWebhookSecrets(): boolean;
  applyChangesNow: ApplyChangesNow;
  /** Null when SECRET_KEY is not set. */
  secretBox: SecretBox | null;
  /** Enforces the setting WEBHOOK_RATE_LIMIT_PER_MINUTE. */
  rateWindow: RateWindow;
  /** Called when a webhook reported a fee of this merchant. */
  feeStored(owner: { workspaceId: string; merchantId: string }): void;
  providers: readonly string[];
  trustProxyHops: number;
  kept: KeptLimits;
  metrics: Pick<Metrics, "rateLimited" | "recordSkipped">;
  log: Logger;
  /** The 26 characters of a new id. */
  nextId(): string;
  /** Unix milliseconds. */
  now(): number;
}

/** The routes for providers' webhooks and for the secrets that sign them. */
export function webhookRoutes(parts: WebhookRoutesParts): Route[] {
  const { tenants, webhookKeys: keys, providers, now } = parts;
  const answer = createBoundedWork(parts);
  return [
    providerWebhookRoute({
      providers,
      rateWindow: parts.rateWindow,
      trustProxyHops: parts.trustProxyHops,
      nextId: parts.nextId,
      now,
      keysOf: (provider, merchantId, workspaceId, nowMs) =>
        parts.hasWebhookSecrets() ? keys.find(provider, merchantId, workspaceId, nowMs) : null,
      store: storeEvents(parts, answer),
      onRateLimited: parts.metrics.rateLimited,
    }),
    listIntegrationsRoute(
      (workspaceId, page) =>
        answer(() => listIntegrations(tenants.of(workspaceId), workspaceId, providers, page)),
      keys.isCrowded,
    ),
    webhookSecretRoute({ providers, rotate: rotateSecrets(parts, answer), now }),
  ];
}

function storeEvents(parts: WebhookRoutesParts, answer: BoundedWork): ProviderWebhookDependencies["store"] {
  const { tenants, metrics, log } = parts;
  return async (event) => {
    const stored = await answer(() =>
      insertWebhookEvent(tenants.of(event.workspaceId), event).catch((error: unknown) => {
        if (refusalKind(error) !== "row") throw error;
        metrics.recordSkipped("webhook_event");
        log.error({ err: error, provider: event.provider }, "PostgreSQL refuses the content of a webhook");
        return "refused" as const;
      }),
    );
    // The fee may be stored even if the answer came too late.
    if (event.fee !== null && stored !== false && stored !== "refused") parts.feeStored(event);
    return stored;
  };
}

function rotateSecrets(parts: WebhookRoutesParts, answer: BoundedWork): WebhookSecretDependencies["rotate"] {
  const { tenants, secretBox: box, applyChangesNow, kept, nextId } = parts;
  if (box === null) return null;
  return async ({ workspaceId, userId, merchantId, provider, secret, nowMs }) => {
    const sealed = box.seal(secret, secretContext(workspaceId, merchantId, provider));
    const stored = await answer(() =>
      rotateWebhookSecret(
        tenants.of(workspaceId),
        { workspaceId, merchantId, provider, secretId: nextId(), sealed },
        { auditId: `aud_${nextId()}`, actor: userId },
        nowMs,
        kept,
      ),
    );
    if (stored === "stored") {
      const changed = { workspaceId, key: secretKeyOf(provider, merchantId) };
      await answer(() => applyChangesNow([{ kind: "webhook_secret", ...changed }]));
    }
    return stored;
  };
}
