import { randomBytes } from "node:crypto";
import type { StoredWebhookSecret } from "../persistence/webhook-secret-queries.js";
import { LIMITS } from "../shared/limits.js";
import type { WorkspaceStatus } from "../shared/vocabulary.js";
import type { SecretBox } from "./secret-box.js";
import { signingKeyOf } from "./webhook-signature.js";

/** A secret that may have signed a webhook; which one did names the workspace. */
export interface SigningKey {
  workspaceId: string;
  key: Buffer;
  /** Unix milliseconds; null while it is the current one. */
  expiresAtMs: number | null;
  workspaceStatus: WorkspaceStatus;
}

/** Who may have signed a webhook of one route. */
export interface RouteKeys {
  /** Oldest workspace first. */
  keys: readonly SigningKey[];
  /** A secret that holds cannot be opened, so that a signature of its owner cannot be told from a bad one. */
  hasClosed: boolean;
}

/** What a secret is sealed for. */
export function secretContext(workspaceId: string, merchantId: string, provider: string): string {
  return `webhook ${workspaceId} ${merchantId} ${provider}`;
}

const GENERATED_BYTES = 32;

export function generateWebhookSecret(): string {
  return `whsec_${randomBytes(GENERATED_BYTES).toString("base64")}`;
}

/** What a rotation lets a route hold: the work that one webhook can cause, whatever the table says. */
const ROUTE_KEYS_MAX = LIMITS.webhookRouteWorkspacesMax * (1 + LIMITS.webhookOldSecretsMax);

/**
 * Every signing key of every merchant, in memory: whatever is asked of it, a flood of bad signatures or of made-up
 * merchants costs PostgreSQL nothing. Null until PostgreSQL has been read once.
 */
export class WebhookKeys {
  #byRoute: ReadonlyMap<string, readonly SigningKey[]> | null = null;
  /** Routes with secrets that SECRET_KEY does not open: until when the last of them holds, Unix milliseconds. */
  #closedUntilMs: ReadonlyMap<string, number> = new Map();

  constructor(private readonly box: SecretBox | null) {}

  /** Takes the place of everything known. Returns how many secrets this node's SECRET_KEY does not open. */
  replace(stored: readonly StoredWebhookSecret[]): number {
    const byRoute = new Map<string, SigningKey[]>();
    const closedUntilMs = new Map<string, number>();
    let closed = 0;
    for (const { merchantId, provider, sealed, ...owned } of stored) {
      const { workspaceId } = owned;
      const secret = this.box?.open(sealed, secretContext(workspaceId, merchantId, provider)) ?? null;
      const key = secret === null ? null : signingKeyOf(secret);
      const route = routeOf(provider, merchantId);
      if (key === null) {
        closed++;
        const untilMs = owned.expiresAtMs ?? Number.POSITIVE_INFINITY;
        closedUntilMs.set(route, Math.max(untilMs, closedUntilMs.get(route) ?? untilMs));
        continue;
      }
      const keys = byRoute.get(route) ?? [];
      if (keys.length >= ROUTE_KEYS_MAX) continue;
      keys.push({ ...owned, key });
      byRoute.set(route, keys);
    }
    this.#byRoute = byRoute;
    this.#closedUntilMs = closedUntilMs;
    return closed;
  }

  /** Whether there are secrets that SECRET_KEY does not open. */
  get hasClosed(): boolean {
    return this.#closedUntilMs.size > 0;
  }

  get isLoaded(): boolean {
    return this.#byRoute !== null;
  }

  /** Those that hold at `nowMs`. */
  find(provider: string, merchantId: string, nowMs: number): RouteKeys {
    const route = routeOf(provider, merchantId);
    const keys = this.#byRoute?.get(route) ?? [];
    return {
      keys: keys.filter(({ expiresAtMs }) => expiresAtMs === null || expiresAtMs > nowMs),
      hasClosed: (this.#closedUntilMs.get(route) ?? nowMs) > nowMs,
    };
  }
}

/** Neither holds a slash. */
function routeOf(provider: string, merchantId: string): string {
  return `${provider}/${merchantId}`;
}
