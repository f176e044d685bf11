import type { Pool } from "pg";
import { observePrices, type PriceObserver } from "../features/pricing/price-observer.js";
import type { SecretBox } from "../platform/node/secret-box.js";
import { createWebhookKeys, secretContext, type WebhookKeys } from "../features/webhooks/webhook-secrets.js";
import type { Route } from "../path/front/route.js";
import { listIntegrationsRoute } from "../features/webhooks/routes/list-integrations.js";
import { providerWebhookRoute } from "../features/webhooks/routes/provider-webhook.js";
import {
  webhookSecretRoute,
  type WebhookSecretDependencies,
} from "../features/webhooks/routes/webhook-secret.js";
import { createBoundedWork } from "../platform/postgres/bounded-work.js";
import type { ApplyChangesNow } from "../path/changes/change-queries.js";
import {
  dropOldFees,
  listFeeOwners,
  refitObservedPrices,
} from "../features/pricing/queries/observed-price.js";
import { insertWebhookEvent } from "../features/webhooks/queries/webhook-event.js";
import {
  listIntegrations,
  rotateWebhookSecret,
  secretKeyOf,
  type CopiedSecret,
} from "../features/webhooks/queries/webhook-secret.js";
import type { TenantDb } from "../platform/postgres/tenant-db.js";
import {
  WEBHOOK_SECRET_PREFIX,
  webhookSecretKey,
  workspaceKey,
  type Replica,
  type ReplicaWorkspace,
} from "../path/replica/replica.js";
import type { RateWindow } from "../path/access/rate-window.js";
import { LIMITS } from "../domain/vocabulary/limits.js";
import { TUNING } from "../domain/vocabulary/tuning.js";
import type { Settings } from "../platform/settings/settings.js";
import { refusalKind } from "../platform/postgres/refusal-kind.js";
import type { Logger } from "../platform/telemetry/logger.js";
import { now } from "../platform/timing/clock.js";
import type { Metrics } from "../platform/telemetry/metrics.js";

/** The signing keys of webhooks, from this node's copies of their secrets. */
export function composeWebhookKeys(
  replica: Pick<Replica, "refresh" | "read" | "keysAfter">,
  box: SecretBox | null,
): WebhookKeys {
  return createWebhookKeys({
    box,
    held(provider, merchantId, workspaceId) {
      replica.refresh();
      const route = `${provider}/${merchantId}`;
      // Ids are in the order of time: these are the oldest workspaces, however many have registered the route.
      const workspaceIds =
        workspaceId === null
          ? replica.keysAfter(`${WEBHOOK_SECRET_PREFIX}${route}/`, "", LIMITS.webhookRouteWorkspacesMax)
          : [workspaceId];
      return workspaceIds.flatMap((id) => {
        const secrets = replica.read(webhookSecretKey(route, id));
        const workspace = replica.read(workspaceKey(id));
        if (secrets === undefined || workspace === undefined) return [];
        const { status } = JSON.parse(workspace) as ReplicaWorkspace;
        return { workspaceId: id, workspaceStatus: status, secrets: JSON.parse(secrets) as CopiedSecret[] };
      });
    },
    isCrowded(provider, merchantId) {
      replica.refresh();
      const prefix = `${WEBHOOK_SECRET_PREFIX}${provider}/${merchantId}/`;
      const max = LIMITS.webhookRouteWorkspacesMax;
      return replica.keysAfter(prefix, "", max + 1).length > max;
    },
    routes(limit) {
      replica.refresh();
      return replica.keysAfter(WEBHOOK_SECRET_PREFIX, "", limit).map((name) => {
        const at = name.indexOf("/");
        return { provider: name.slice(0, at), merchantId: name.slice(at + 1, name.lastIndexOf("/")) };
      });
    },
  });
}

/** HOOK-15: logs one line if SECRET_KEY is wrong. Returns whether it is. */
export function logWrongSecretKey(keys: WebhookKeys, log: Logger): boolean {
  const secrets = keys.countClosed(now());
  if (secrets > 0) {
    log.error(
      { secrets },
      "SECRET_KEY is not the one that stored webhook secrets were encrypted with; their webhooks are answered 503",
    );
  }
  return secrets > 0;
}

export interface WebhookParts {
  tenants: TenantDb;
  keys: WebhookKeys;
  /** Until then this node may lack a secret. */
  hasSecrets(): boolean;
  applyChangesNow: ApplyChangesNow;
  /** Null without SECRET_KEY. */
  box: SecretBox | null;
  log: Logger;
  settings: Pick<Settings, "providers" | "trustProxyHops" | "patience" | "kept">;
  /** WEBHOOK_RATE_LIMIT_PER_MINUTE */
  rateWindow: RateWindow;
  metrics: Pick<Metrics, "rateLimited" | "recordSkipped">;
  databaseIsReachable(): boolean;
  nextId(): string;
  feeStored: PriceObserver["feeStored"];
}

/** Fits observed prices to what webhooks report; each stored version reaches every node as contracts do. */
export function composePriceObserver(
  database: Pool,
  tenants: TenantDb,
  databaseIsReachable: () => boolean,
  log: Logger,
): PriceObserver {
  const whileReachable = <T>(work: () => Promise<T>): Promise<T> =>
    databaseIsReachable() ? work() : Promise.reject(new Error("PostgreSQL is away"));
  return observePrices({
    owners: () => whileReachable(() => listFeeOwners(database)),
    refit: (owner) =>
      whileReachable(async () => {
        const tenant = tenants.of(owner.workspaceId);
        await refitObservedPrices(tenant, owner);
        await dropOldFees(tenant, owner);
      }),
    intervalMs: TUNING.observedPriceIntervalMs,
    onError: (error) => {
      if (databaseIsReachable()) log.warn({ err: error }, "observed prices could not be fitted");
    },
  });
}

/** The routes of provider webhooks and of their secrets. */
export function composeWebhookRoutes(parts: WebhookParts): Route[] {
  const { tenants, keys, applyChangesNow, box, metrics, log, nextId } = parts;
  const { providers, trustProxyHops, patience, kept } = parts.settings;
  const answer = createBoundedWork({
    isReachable: parts.databaseIsReachable,
    timeoutMs: patience.databaseReadTimeoutMs,
    onError: (err, suppressed) =>
      log.warn({ err, suppressed }, "webhooks cannot be stored or integrations read"),
  });
  const rotate: WebhookSecretDependencies["rotate"] =
    box === null
      ? null
      : async ({ workspaceId, userId, merchantId, provider, secret, nowMs }) => {
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
  return [
    providerWebhookRoute({
      keysOf: (provider, merchantId, workspaceId, nowMs) =>
        parts.hasSecrets() ? keys.find(provider, merchantId, workspaceId, nowMs) : null,
      store: async (event) => {
        const stored = await answer(() =>
          insertWebhookEvent(tenants.of(event.workspaceId), event).catch((error: unknown) => {
            if (refusalKind(error) !== "row") throw error;
            metrics.recordSkipped("webhook_event");
            log.error(
              { err: error, provider: event.provider },
              "PostgreSQL refuses a webhook for what it holds",
            );
            return "refused" as const;
          }),
        );
        // Also where the answer came too late: the fee may be stored.
        if (event.fee !== null && stored !== false && stored !== "refused") parts.feeStored(event);
        return stored;
      },
      rateWindow: parts.rateWindow,
      onRateLimited: metrics.rateLimited,
      trustProxyHops,
      providers,
      nextId,
      now,
    }),
    listIntegrationsRoute(
      (workspaceId) => answer(() => listIntegrations(tenants.of(workspaceId), workspaceId, providers)),
      keys.isCrowded,
    ),
    webhookSecretRoute({ providers, rotate, now }),
  ];
}
