import { randomBytes } from "node:crypto";
import type { CopiedSecret } from "./queries/webhook-secret.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { WorkspaceStatus } from "../../domain/vocabulary/vocabulary.js";
import type { SecretBox } from "../../platform/node/secret-box.js";
import { signingKeyOf } from "./webhook-signature.js";

/** A secret that may have signed a webhook; which one did names the workspace. */
export interface SigningKey {
  workspaceId: string;
  key: Buffer;
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

/** The work that one webhook can cause, however many workspaces have registered its route. */
const ROUTE_KEYS_MAX = LIMITS.webhookRouteWorkspacesMax * (1 + LIMITS.webhookOldSecretsMax);

/** What this node holds of a route's secrets, oldest workspace first. */
export interface HeldSecrets {
  workspaceId: string;
  workspaceStatus: WorkspaceStatus;
  secrets: readonly CopiedSecret[];
}

export interface WebhookKeysOptions {
  /** Null without SECRET_KEY. */
  box: SecretBox | null;
  /** Of one route: of the workspace that is named, else of the `webhookRouteWorkspacesMax` oldest ones. */
  held(provider: string, merchantId: string, workspaceId: string | null): HeldSecrets[];
  /** More workspaces than are tried have secrets of this route. */
  isCrowded(provider: string, merchantId: string): boolean;
  /** The first routes that have secrets. */
  routes(limit: number): { provider: string; merchantId: string }[];
}

/**
 * The signing keys of webhooks, from this node's own copies: whatever is asked of them, a flood of bad signatures or of
 * made-up merchants costs PostgreSQL nothing.
 */
export function createWebhookKeys({ box, held, isCrowded, routes }: WebhookKeysOptions) {
  /** By the sealed text; null where SECRET_KEY does not open it. The older half goes when the younger one is full. */
  let young = new Map<string, Buffer | null>();
  let old = new Map<string, Buffer | null>();

  const open = (sealed: string, context: string): Buffer | null => {
    const name = `${context} ${sealed}`;
    let key = young.get(name) ?? old.get(name);
    if (key === undefined) {
      const secret = box?.open(Buffer.from(sealed, "base64"), context) ?? null;
      key = secret === null ? null : signingKeyOf(secret);
    }
    if (young.size >= TUNING.webhookKeysOpenMax / 2) {
      old = young;
      young = new Map();
    }
    young.set(name, key);
    return key;
  };

  /** Those that hold at `nowMs`. */
  const read = (
    provider: string,
    merchantId: string,
    workspaceId: string | null,
    nowMs: number,
  ): { keys: SigningKey[]; closed: number } => {
    const keys: SigningKey[] = [];
    let closed = 0;
    for (const owner of held(provider, merchantId, workspaceId)) {
      const { workspaceStatus } = owner;
      for (const { sealed, expiresAtMs } of owner.secrets) {
        if (expiresAtMs !== null && expiresAtMs <= nowMs) continue;
        const key = open(sealed, secretContext(owner.workspaceId, merchantId, provider));
        if (key === null) closed++;
        else if (keys.length < ROUTE_KEYS_MAX)
          keys.push({ workspaceId: owner.workspaceId, workspaceStatus, key });
      }
    }
    return { keys, closed };
  };

  return {
    isCrowded,
    /** `workspaceId`: whose secrets alone are tried, where the sender names one. */
    find(provider: string, merchantId: string, workspaceId: string | null, nowMs: number): RouteKeys {
      const { keys, closed } = read(provider, merchantId, workspaceId, nowMs);
      return { keys, hasClosed: closed > 0 };
    },
    /** How many secrets of the first routes SECRET_KEY does not open. */
    countClosed(nowMs: number): number {
      const tried = routes(TUNING.webhookRoutesTried);
      return tried.reduce(
        (sum, { provider, merchantId }) => sum + read(provider, merchantId, null, nowMs).closed,
        0,
      );
    },
  };
}

export type WebhookKeys = ReturnType<typeof createWebhookKeys>;
