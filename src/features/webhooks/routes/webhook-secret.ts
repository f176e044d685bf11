import type { RotatedSecretBody } from "../wire/integration-response-schema.js";
import { webhookSecretValidator } from "../wire/webhook-secret-schema.js";
import { generateWebhookSecret } from "../webhook-secrets.js";
import { signingKeyOf } from "../webhook-signature.js";
import type { RotationResult } from "../queries/webhook-secret.js";
import { isLimitReached } from "../../../domain/vocabulary/kept-limits.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import type { ApiError } from "../../../platform/http/api-error.js";
import type { SessionRoute } from "../../../path/front/route.js";

export interface WebhookSecretDependencies {
  providers: readonly string[];
  /** Stores the secret and makes this node accept it from now on. */
  rotate:
    | ((change: {
        workspaceId: string;
        userId: string;
        merchantId: string;
        provider: string;
        secret: string;
        nowMs: number;
      }) => Promise<RotationResult | "unavailable">)
    | null;
  /** Unix milliseconds. */
  now(): number;
}

const NO_SECRET_KEY: ApiError = {
  kind: "unavailable",
  message: "Secrets cannot be stored: SECRET_KEY is not set",
};
const UNAVAILABLE: ApiError = { kind: "unavailable", message: "Secrets cannot be stored right now" };

/**
 * PUT /v1/integrations/:provider/webhook-secret sets or rotates a merchant's signing secret. The answer contains the
 * secret only if it was generated here. No other answer contains it.
 */
export function webhookSecretRoute({ providers, rotate, now }: WebhookSecretDependencies): SessionRoute {
  return {
    method: "PUT",
    // A repeated request must not generate a second secret, because the first would be lost.
    onRepeat: "replay",
    path: "/v1/integrations/:provider/webhook-secret",
    access: { roles: ["owner", "admin", "developer"] },
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, { workspaceId, userId }, [provider = ""], text) {
      const body = webhookSecretValidator.parse(text);
      if (!body.ok) return exchange.fail({ kind: "invalid", issues: body.issues });
      const { merchant_id: merchantId, secret } = body.value;
      if (secret !== undefined && signingKeyOf(secret) === null) {
        const message = "Must be whsec_ and the base64 of 24 to 64 bytes";
        return exchange.fail({
          kind: "invalid",
          issues: [{ path: "secret", code: "invalid_string", message }],
        });
      }
      if (!providers.includes(provider)) {
        return exchange.fail({ kind: "not_found", message: "Provider not found" });
      }
      if (rotate === null) return exchange.fail(NO_SECRET_KEY);
      const nowMs = now();
      const made = secret ?? generateWebhookSecret();
      const stored = await rotate({ workspaceId, userId, merchantId, provider, secret: made, nowMs });
      if (stored === "unavailable") return exchange.fail(UNAVAILABLE);
      if (stored === "unknown_merchant") return exchange.fail({ kind: "unknown_merchant" });
      if (isLimitReached(stored)) return exchange.fail(stored);
      exchange.send(
        200,
        JSON.stringify({
          provider,
          merchant_id: merchantId,
          ...(secret === undefined ? { secret: made } : {}),
          rotated_at: new Date(nowMs).toISOString(),
        } satisfies RotatedSecretBody),
      );
    },
  };
}
