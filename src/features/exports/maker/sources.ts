import {
  amongKept,
  EVERY_DECISION,
  scopeWithin,
  type DecisionFilter,
} from "../../../domain/vocabulary/decision-scope.js";
import { storedFacet } from "../../../domain/vocabulary/facets.js";
import { idFromHex } from "../../../domain/ids/ids.js";
import { monthOf } from "../../../domain/vocabulary/month.js";
import { EXPORT_TUNING } from "../queries/export-tuning.js";
import type { Cursor } from "../../../platform/http/page-query.js";
import { firstReadableMs, type TenantTransaction } from "../../../platform/postgres/tenant-db.js";
import {
  auditEntryBody,
  auditSearchOf,
  listAuditEntries,
  type AuditFilter,
  type AuditPage,
} from "../../audit/service.js";
import {
  countDecisions,
  findPage,
  listRowHead,
  loadDocuments,
  withFeedback,
  type PageStart,
} from "../../decisions/service.js";
import { loadUsage, usageBody } from "../../usage/service.js";
import type { DecisionListRow } from "../../decisions/wire/decision-log-schema.js";
import type { ExportRequest } from "../queries/export.js";
import type { ExportFilters } from "../wire/export-schema.js";

/** Rows of the list as JSON texts. */
export interface Page {
  rows: string[];
  /** The number of rows in the whole export. Null if it is not counted beforehand. */
  total: number | null;
}

/** The request for an export, and the snapshot that its rows are read in. */
export interface SourceOptions {
  client: TenantTransaction;
  request: ExportRequest;
  /** Unix milliseconds. */
  nowMs: number;
}

/** EXP-5: yields the pages of an export, in the order of the list. */
export function pagesOf(options: SourceOptions): AsyncGenerator<Page> {
  switch (options.request.kind) {
    case "decisions":
      return decisionPages(options);
    case "audit_log":
      return auditPages(options);
    case "usage":
      return usagePages(options);
  }
}

async function* decisionPages({ client, request }: SourceOptions): AsyncGenerator<Page> {
  const { workspaceId } = client;
  const filter = amongKept(filterOf(request), firstReadableMs(client));
  const scope = scopeWithin({ workspaceId, mode: request.mode, merchantScope: null }, filter);
  if (scope === null) return;
  const passes = sieveOf(request.filters);
  const total = passes === null ? (await countDecisions(client, scope, filter)).total : null;
  let start: PageStart = { kind: "offset", rows: 0 };
  for (;;) {
    const found = await findPage(client, scope, filter, start, EXPORT_TUNING.pageRows);
    const documents = await loadDocuments(client, workspaceId, found);
    const rows = documents.map((document, at) => {
      const { outcome = null, review = null } = found[at] ?? {};
      return withFeedback(listRowHead(document), { outcome, review });
    });
    yield { rows: passes === null ? rows : rows.filter(passes), total };
    const last = found.at(-1);
    if (last === undefined || found.length < EXPORT_TUNING.pageRows) return;
    start = { kind: "older_than", decisionId: idFromHex("dec", last.uuid) };
  }
}

async function* auditPages({ client, request }: SourceOptions): AsyncGenerator<Page> {
  const filter = auditFilterOf(request);
  const pageSize = EXPORT_TUNING.pageRows;
  let cursor: Cursor | null = null;
  for (;;) {
    const page: AuditPage = { pageSize, cursor };
    const { entries, hasMore } = await listAuditEntries(client, client.workspaceId, filter, page);
    yield { rows: entries.map((entry) => JSON.stringify(auditEntryBody(entry))), total: null };
    const last = entries.at(-1);
    if (last === undefined || !hasMore) return;
    cursor = { kind: "older_than", id: last.auditId };
  }
}

/** Usage is read month by month, so that the report's limit on rows does not cut the export short. */
async function* usagePages({ client, request, nowMs }: SourceOptions): AsyncGenerator<Page> {
  const lastMs = Math.min(request.untilMs - 1, nowMs);
  for (let month = monthOf(request.sinceMs); month <= monthOf(lastMs); month++) {
    const usage = await loadUsage(client, client.workspaceId, { from: month, to: month });
    if (usage === "too_many") throw new RangeError("a month has more merchants than a workspace may have");
    const own = usage.filter(({ mode }) => mode === request.mode);
    yield { rows: own.map((row) => JSON.stringify(usageBody(row))), total: null };
  }
}

function auditFilterOf({ filters, sinceMs, untilMs }: ExportRequest): AuditFilter {
  const {
    audit_action: action = null,
    actor = null,
    resource = null,
    merchant_id: merchantId = null,
    q,
  } = filters;
  const search = q === undefined ? null : auditSearchOf(q);
  return { action, actor, resource, merchantId, search, sinceMs, untilMs };
}

function filterOf({ filters, sinceMs, untilMs }: ExportRequest): DecisionFilter {
  return {
    ...EVERY_DECISION,
    sinceMs,
    untilMs,
    action: filters.action ?? null,
    decisionMode: filters.decision_mode ?? null,
    unresolved: filters.unresolved ?? false,
    orderId: filters.order_id ?? null,
    merchantId: filters.merchant_id ?? null,
    currency: filters.currency ?? null,
    country: storedFacet(filters.country ?? null),
    paymentMethod: filters.payment_method ?? null,
    cardNetwork: storedFacet(filters.card_network ?? null),
    provider: storedFacet(filters.provider ?? null),
  };
}

/**
 * LOG-22 to LOG-25: returns a function that applies the filters without an index to the JSON text of a row. Null if
 * no such filter is set. An export reads all rows of its interval, so the list's limit on examined rows does not
 * apply.
 */
function sieveOf(filters: ExportFilters): ((row: string) => boolean) | null {
  const { amount_min: least, amount_max: most, risk_band: band, outcome, reason_code: code } = filters;
  if ([least, most, band, outcome, code].every((value) => value === undefined)) return null;
  return (text) => {
    const row = JSON.parse(text) as DecisionListRow;
    return (
      row.amount >= (least ?? 0) &&
      row.amount <= (most ?? row.amount) &&
      row.risk_band === (band ?? row.risk_band) &&
      (outcome === undefined || row.outcome?.outcome === outcome) &&
      (code === undefined || row.reason_codes.includes(code))
    );
  };
}
