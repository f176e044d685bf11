import type { ProviderOverridesBody } from "./wire/override-response-schema.js";
import { parseOverrideBody } from "./wire/override-schema.js";
import { createOverrides, type Overrides, type OverridesOptions } from "./service.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { parseTimestamp } from "../../domain/vocabulary/timestamp.js";
import { ADMINISTRATION_UNAVAILABLE } from "../../platform/http/api-error.js";
import type { Route, SessionRoute } from "../../path/front/route.js";

export interface OverrideRoutesParts extends OverridesOptions {
  providers: readonly string[];
}

/** The route that pins providers' health. */
export function overrideRoutes(parts: OverrideRoutesParts): Route[] {
  return [providerOverrideRoute(parts, createOverrides(parts).change)];
}

/**
 * PUT /v1/admin/provider-overrides/:provider pins, or with `state: null` lifts. It answers 200 `{provider, overrides:
 * [{state, score, payment_method, currency, mode?, expires_at?}]}`: the provider's current pins, oldest first. When
 * several pins cover a segment, the last one holds. This node shows the change from the answer on.
 */
function providerOverrideRoute(
  { providers, now }: Pick<OverrideRoutesParts, "providers" | "now">,
  change: Overrides["change"],
): SessionRoute {
  return {
    method: "PUT",
    path: "/v1/admin/provider-overrides/:provider",
    access: { roles: ["owner", "admin"] },
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, { workspaceId, userId }, [provider = ""], text) {
      const body = parseOverrideBody(text, now());
      if (!body.ok) return exchange.fail({ kind: "invalid", issues: body.issues });
      if (!providers.includes(provider)) {
        return exchange.fail({ kind: "not_found", message: "Provider not found" });
      }
      const { state, score, payment_method: paymentMethod = null, currency = null } = body.value;
      const { mode = "both", expires_at } = body.value;
      const overrides = await change(
        { workspaceId, actor: userId },
        {
          provider,
          paymentMethod,
          currency,
          state,
          ...(score === undefined ? {} : { score }),
          ...(mode === "both" ? {} : { mode }),
          ...(expires_at === undefined ? {} : { expiresAtMs: parseTimestamp(expires_at) ?? 0 }),
        },
      );
      if (overrides === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      exchange.send(200, JSON.stringify({ provider, overrides } satisfies ProviderOverridesBody));
    },
  };
}
