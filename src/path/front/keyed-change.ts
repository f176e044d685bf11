import type { ClaimChange } from "./change-replies.js";
import type { Principal } from "../access/session.js";
import { ADMINISTRATION_UNAVAILABLE, CHANGE_UNANSWERED } from "../../platform/http/api-error.js";
import type { Exchange } from "../../platform/http/exchange.js";
import { idempotencyKeyIssue, REPLAYED, REPLAYED_FOR_ANOTHER_BODY } from "./head-refusal.js";
import type { PathParameters, ScopedRoute, SessionRoute } from "./route.js";

/**
 * IDEM-10: ensures that a change which a dashboard session requests with an `Idempotency-Key` is made only once.
 * Returns true if the route must make the change. If it returns false, it has answered the exchange.
 */
export function createKeyedChanges(claim: ClaimChange) {
  return async function mayBegin(
    route: SessionRoute | ScopedRoute,
    exchange: Exchange,
    { workspaceId, userId }: Principal,
    params: PathParameters,
    body: string,
  ): Promise<boolean> {
    const { idempotencyKey: key, query } = exchange.head;
    if (route.onRepeat !== "replay" || key === undefined) return true;
    const issue = idempotencyKeyIssue(exchange.head);
    if (issue !== null) {
      exchange.fail({ kind: "invalid", issues: [issue] });
      return false;
    }
    const operation = `${route.method} ${route.path} ${params.join("/")}?${query}`;
    const claimed = await claim({ workspaceId, userId, operation, key, body });
    switch (claimed.kind) {
      case "unavailable":
        exchange.fail(ADMINISTRATION_UNAVAILABLE);
        return false;
      case "unanswered":
        exchange.fail(CHANGE_UNANSWERED);
        return false;
      case "answered": {
        const { status, body: before, headers } = claimed.reply;
        const marks = claimed.bodyDiffers ? REPLAYED_FOR_ANOTHER_BODY : REPLAYED;
        exchange.send(status, before, [...headers, ...marks]);
        return false;
      }
      case "ours":
        exchange.beforeAnswer(async (status, answer, headers) => {
          if (status < 300) await claimed.change.answered({ status, body: textOf(answer), headers });
          else if (status < 500) await claimed.change.refused();
          // After a 5xx nobody knows whether the change was made, so the claim stays.
        });
        return true;
    }
  };
}

export type MayBeginChange = ReturnType<typeof createKeyedChanges>;

function textOf(body: string | Uint8Array): string {
  return typeof body === "string" ? body : Buffer.from(body).toString();
}
