import { scopeOf, type DecisionRead } from "../read-log.js";
import { readFailure } from "../../../platform/http/api-error.js";
import { FACET_PARAMETERS } from "../wire/facet-parameters.js";
import { SIEVE_PARAMETERS } from "../wire/sieve-parameters.js";
import { readDecisionListQuery } from "../decision-list-query.js";
import { Query } from "../../../platform/http/query.js";
import type { ScopedRoute } from "../../../path/front/route.js";
import type { ReadLog } from "../../../platform/postgres/database-read.js";

/** GET /v1/decisions. `now` returns Unix milliseconds. */
export function decisionListRoute(read: ReadLog<DecisionRead>, now: () => number): ScopedRoute {
  return {
    method: "GET",
    path: "/v1/decisions",
    access: { scope: "policy:read" },
    bodyBytesMax: null,
    query: [
      "page_size",
      "page",
      "order",
      "action",
      "decision_mode",
      "unresolved",
      "range",
      "from",
      "to",
      "order_id",
      ...FACET_PARAMETERS,
      ...SIEVE_PARAMETERS,
      "starting_after",
      "ending_before",
    ],
    async handle(exchange, grant) {
      const query = new Query(exchange.head.query);
      const wanted = readDecisionListQuery(query, now());
      if (query.issues.length > 0) return exchange.fail({ kind: "invalid", issues: query.issues });
      const page = await read({ kind: "list", scope: scopeOf(grant), query: wanted });
      if (page === null || typeof page === "string") return exchange.fail(readFailure(page));
      exchange.send(200, page.json);
    },
  };
}
