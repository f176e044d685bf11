import type {
  CreatedMerchantBody,
  MerchantBody,
  MerchantListBody,
} from "../wire/workspace-response-schema.js";
import { parseMerchantBody } from "../wire/workspace-schema.js";
import type { Workspaces } from "../service.js";
import type { Merchant } from "../queries/merchant.js";
import { isLimitReached } from "../../../domain/vocabulary/kept-limits.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { ROLES } from "../../../domain/vocabulary/vocabulary.js";
import { ADMINISTRATION_UNAVAILABLE } from "../../../platform/http/api-error.js";
import { hasMoreOf, PAGE_PARAMETERS, readPage, readTextCursor } from "../../../platform/http/page-query.js";
import { merchantCursorSchema } from "../../../platform/wire/scalars.js";
import type { SessionRoute } from "../../../path/front/route.js";

const MERCHANT_ID = new RegExp(merchantCursorSchema.pattern);

/** GET /v1/admin/merchants, ordered by merchant id. */
export function merchantsRoute(list: Workspaces["merchants"]): SessionRoute {
  return {
    method: "GET",
    path: "/v1/admin/merchants",
    access: { roles: ROLES },
    bodyBytesMax: null,
    query: PAGE_PARAMETERS,
    async handle(exchange, { workspaceId }) {
      const page = readPage(exchange, (query) => readTextCursor(query, MERCHANT_ID), LIMITS.wholeListRowsMax);
      if (page === null) return;
      const found = await list(workspaceId, page);
      if (found === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      const body = { merchants: found.rows.map(toRow), ...hasMoreOf(page, found.hasMore) };
      exchange.send(200, JSON.stringify(body satisfies MerchantListBody));
    },
  };
}

/** POST /v1/admin/merchants: 201. This node accepts the merchant's decisions from the answer on. */
export function createMerchantRoute(register: Workspaces["registerMerchant"]): SessionRoute {
  return {
    method: "POST",
    onRepeat: "replay",
    path: "/v1/admin/merchants",
    access: { roles: ["owner", "admin", "developer"] },
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, { workspaceId, userId }, _params, text) {
      const body = parseMerchantBody(text);
      if (!body.ok) return exchange.fail({ kind: "invalid", issues: body.issues });
      const { merchant_id: merchantId, name } = body.value;
      const merchant = await register(
        { workspaceId, actor: userId },
        { merchantId, ...(name === undefined ? {} : { name }) },
      );
      if (merchant === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      if (merchant === null) {
        return exchange.fail({ kind: "conflict", message: "Merchant is already registered" });
      }
      if (merchant === "erased") {
        return exchange.fail({ kind: "conflict", message: "The merchant of this id was erased" });
      }
      if (isLimitReached(merchant)) return exchange.fail(merchant);
      exchange.send(201, JSON.stringify({ merchant: toRow(merchant) } satisfies CreatedMerchantBody));
    },
  };
}

function toRow({ merchantId, name, createdAt }: Merchant): MerchantBody {
  return { merchant_id: merchantId, name, created_at: createdAt.toISOString() };
}
