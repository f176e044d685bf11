import { policyTranslateValidator } from "../wire/policy-translate-schema.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { TUNING } from "../../../domain/vocabulary/tuning.js";
import type { TranslationBody } from "../wire/policy-trial-response-schema.js";
import type { Translation } from "../translate/translate-policy.js";
import type { ApiError } from "../../../platform/http/api-error.js";
import type { Exchange } from "../../../platform/http/exchange.js";
import { createQueue } from "../../../platform/http/line.js";
import type { ScopedRoute } from "../../../path/front/route.js";

/** The body of a policy as a merchant would post it. */
type PolicyDraft = NonNullable<TranslationBody["draft"]>;

export interface PolicyTranslateDependencies {
  /** Rejects when the text could not be translated. */
  translate(text: string): Promise<Translation>;
  /** Applies the strict policy validation. The returned `policy` has rule_id, enabled and priority filled in. */
  validate(
    draft: PolicyDraft,
  ): { ok: true; policy: Pick<PolicyDraft, "default_provider" | "rules"> } | { ok: false };
  isMerchant(workspaceId: string, merchantId: string): boolean;
}

const DRAFT_NAME = "Translated policy";
const TOO_MANY: ApiError = { kind: "unavailable", message: "Too many texts are waiting to be translated" };

/**
 * POST /v1/policies/translate: 200 `{draft, warnings, valid}`. Nothing is stored. `draft` is null when no sentence was
 * understood. `valid` is true when there is a draft and it passes strict validation. A sentence that was left out is
 * named in `warnings` and does not make the draft invalid.
 */
export function policyTranslateRoute({
  translate,
  validate,
  isMerchant,
}: PolicyTranslateDependencies): ScopedRoute {
  const queue = createQueue(TUNING.translationCharsWaitingMax);

  const answer = async (exchange: Exchange, text: string): Promise<void> => {
    // The client may have gone while its text waited.
    if (exchange.done) return;
    const { rules, default_provider, warnings } = await translate(text);
    if (rules.length === 0 && default_provider === undefined) {
      return send(exchange, { draft: null, warnings, valid: false });
    }
    const draft = { name: DRAFT_NAME, default_provider: default_provider ?? null, rules };
    const validated = validate(draft);
    const stored = validated.ok ? { ...draft, ...validated.policy } : draft;
    send(exchange, { draft: stored, warnings, valid: validated.ok });
  };
  const send = (exchange: Exchange, body: TranslationBody): void => exchange.send(200, JSON.stringify(body));

  return {
    method: "POST",
    onRepeat: "again",
    path: "/v1/policies/translate",
    access: { scope: "policy:write" },
    bodyBytesMax: LIMITS.largeBodyBytesMax,
    handle(exchange, grant, _params, body) {
      const parsed = policyTranslateValidator.parse(body);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const { merchant_id, text } = parsed.value;
      if (grant.merchantScope !== null && grant.merchantScope !== merchant_id) {
        return exchange.fail({ kind: "other_merchant_scope" });
      }
      if (!isMerchant(grant.workspaceId, merchant_id)) return exchange.fail({ kind: "unknown_merchant" });
      const work = (): Promise<void> => answer(exchange, text);
      return queue(grant.workspaceId, weightOf(text), work, () => exchange.fail(TOO_MANY));
    },
  };
}

/** The number of characters that are read of a text. The work grows with it. */
function weightOf(text: string): number {
  return Math.max(TUNING.translationCharsMin, Math.min(text.length, LIMITS.translateParsedCharsMax));
}
