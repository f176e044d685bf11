import { randomBytes } from "node:crypto";
import type { CopiedSecret } from "./queries/webhook-secret.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { WorkspaceStatus } from "../../domain/vocabulary/vocabulary.js";
import type { SecretBox } from "../../platform/node/secret-box.js";
import { signingKeyOf } from "./webhook-signature.js";

/** A secret that may have signed a webhook. The one that matches identifies the workspace. */
export interface SigningKey {
  workspaceId: string;
  key: Buffer;
  workspaceStatus: WorkspaceStatus;
}

/** The keys that may have signed a webhook of one route. */
export interface RouteKeys {
  /** Oldest workspace first. */
  keys: readonly SigningKey[];
  /** True if a valid secret cannot be opened, so that its owner's signature cannot be distinguished from a bad one. */
  hasClosed: boolean;
}

/** Returns the context that a secret is sealed for. */
export function secretContext(workspaceId: string, merchantId: string, provider: string): string {
  return `webhook ${workspaceId} ${merchantId} ${provider}`;
}

const GENERATED_BYTES = 32;

export function generateWebhookSecret(): string {
  return `whsec_${randomBytes(GENERATED_BYTES).toString("base64")}`;
}

/** Limits the work of one webhook, however many workspaces have registered its route. */
const ROUTE_KEYS_MAX = LIMITS.webhookRouteWorkspacesMax * (1 + LIMITS.webhookOldSecretsMax);

/** One workspace's secrets for a route, in this node's copies. */
export interface HeldSecrets {
  workspaceId: string;
  workspaceStatus: WorkspaceStatus;
  secrets: readonly CopiedSecret[];
}

export interface WebhookKeysOptions {
  /** Null when SECRET_KEY is not set. */
  box: SecretBox | null;
  /**
   * Returns a route's secrets, oldest workspace first. If no workspace is named, the `webhookRouteWorkspacesMax`
   * oldest workspaces are searched.
   */
  held(provider: string, merchantId: string, workspaceId: string | null): HeldSecrets[];
  /** True when more workspaces have secrets for this route than are tried. */
  isCrowded(provider: string, merchantId: string): boolean;
  /** Lists the first routes that have secrets. */
  routes(limit: number): { provider: string; merchantId: string }[];
}

/**
 * Finds the signing keys of webhooks in this node's own copies. A flood of bad signatures or of made-up merchants
 * therefore costs PostgreSQL nothing.
 */
export function createWebhookKeys({ box, held, isCrowded, routes }: WebhookKeysOptions) {
  /**
   * Opened keys by sealed text, or null if SECRET_KEY does not open the text. When `young` is full, it replaces `old`.
   */
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

  /** Opens the secrets that are valid at `nowMs`. */
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
    /** `workspaceId` is the workspace that the sender named. Only its secrets are tried. */
    find(provider: string, merchantId: string, workspaceId: string | null, nowMs: number): RouteKeys {
      const { keys, closed } = read(provider, merchantId, workspaceId, nowMs);
      return { keys, hasClosed: closed > 0 };
    },
    /** Counts the secrets that SECRET_KEY does not open, among the first routes. */
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
