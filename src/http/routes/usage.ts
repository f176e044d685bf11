import type { MonthlyUsage } from "../../persistence/usage-queries.js";
import { LIMITS } from "../../shared/limits.js";
import { formatMonth, monthOf, parseMonth } from "../../shared/month.js";
import { READ_UNAVAILABLE } from "../api-error.js";
import { Query } from "../query.js";
import type { SessionRoute } from "../route.js";

/** Months since the year 0, both included. */
export type LoadUsage = (
  workspaceId: string,
  months: { from: number; to: number },
) => Promise<MonthlyUsage[] | "too_many" | "unavailable">;

/**
 * GET /v1/admin/usage: `{usage: [{month, mode, merchant_id, decisions, shadow_decisions}]}`, by month, test before live,
 * merchant id; `decisions` are the billable ones, those of enforce. `to` is the current month where it is absent, `from`
 * is `to`; at most 24 months. `now`: Unix milliseconds.
 */
export function usageRoute(load: LoadUsage, now: () => number): SessionRoute {
  return {
    method: "GET",
    path: "/v1/admin/usage",
    access: { roles: ["owner", "admin"] },
    bodyBytesMax: null,
    readsQuery: true,
    async handle(exchange, { workspaceId }) {
      const query = new Query(exchange.head.query);
      const to = readMonth(query, "to") ?? monthOf(now());
      const from = readMonth(query, "from") ?? to;
      if (from > to) query.refuse("from", "custom", "Must not be after to");
      if (to - from >= LIMITS.usageMonthsMax) {
        query.refuse("from", "custom", `At most ${LIMITS.usageMonthsMax} months at once`);
      }
      if (query.issues.length > 0) return exchange.fail({ kind: "invalid", issues: query.issues });
      const usage = await load(workspaceId, { from, to });
      if (usage === "unavailable") return exchange.fail(READ_UNAVAILABLE);
      if (usage === "too_many") {
        query.refuse("from", "custom", `At most ${LIMITS.usageRowsMax} rows at once: ask for fewer months`);
        return exchange.fail({ kind: "invalid", issues: query.issues });
      }
      const rows = usage.map(({ month, mode, merchantId, enforced, shadow }) => ({
        month: formatMonth(month),
        mode,
        merchant_id: merchantId,
        decisions: enforced,
        shadow_decisions: shadow,
      }));
      exchange.send(200, JSON.stringify({ usage: rows }));
    },
  };
}

function readMonth(query: Query, name: string): number | null {
  const text = query.text(name);
  if (text === null) return null;
  const month = parseMonth(text);
  if (month === null) query.refuse(name, "invalid_string", "Expected YYYY-MM");
  return month;
}
