import type { ReadLog } from "../../platform/postgres/database-read.js";
import type { UsageRead } from "./service.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { monthOf, parseMonth } from "../../domain/vocabulary/month.js";
import { readFailure } from "../../platform/http/api-error.js";
import { Query } from "../../platform/http/query.js";
import type { Route, SessionRoute } from "../../path/front/route.js";

export interface UsageRoutesParts {
  readLog: ReadLog<UsageRead>;
  /** Unix milliseconds. */
  now(): number;
}

export function usageRoutes({ readLog, now }: UsageRoutesParts): Route[] {
  return [usageRoute(readLog, now)];
}

/**
 * GET /v1/admin/usage: `to` defaults to the current month, and `from` to `to`. The span is at most 24 months. `now`
 * returns Unix milliseconds.
 */
function usageRoute(read: ReadLog<UsageRead>, now: () => number): SessionRoute {
  return {
    method: "GET",
    path: "/v1/admin/usage",
    access: { roles: ["owner", "admin"] },
    bodyBytesMax: null,
    query: ["from", "to"],
    async handle(exchange, { workspaceId }) {
      const query = new Query(exchange.head.query);
      const to = readMonth(query, "to") ?? monthOf(now());
      const from = readMonth(query, "from") ?? to;
      if (from > to) query.refuse("from", "custom", "Must not be after to");
      if (to - from >= LIMITS.usageMonthsMax) {
        query.refuse("from", "custom", `At most ${LIMITS.usageMonthsMax} months at once`);
      }
      if (query.issues.length > 0) return exchange.fail({ kind: "invalid", issues: query.issues });
      const usage = await read({ kind: "usage", workspaceId, months: { from, to } });
      if (typeof usage === "string") return exchange.fail(readFailure(usage));
      if (usage === null) {
        query.refuse("from", "custom", `At most ${LIMITS.usageRowsMax} rows at once: ask for fewer months`);
        return exchange.fail({ kind: "invalid", issues: query.issues });
      }
      exchange.send(200, usage.json);
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
