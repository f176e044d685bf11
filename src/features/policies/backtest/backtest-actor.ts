import { BacktestTally } from "../../../domain/decision/backtest-tally.js";
import { DecisionPolicy } from "../../../domain/decision/decision-policy.js";
import { decideAgain, type RecordedDecision } from "../../../domain/decision/recorded-decision.js";
import { readDocument, readHealth } from "../../../path/document/decision-document.js";
import type { HealthView } from "../../../domain/health/snapshot.js";
import { isKnownPricing } from "../../../domain/decision/seen.js";
import { countDecisions, findPage, type PageStart, loadDocuments } from "../../decisions/service.js";
import { amongKept, EVERY_DECISION, type DecisionScope } from "../../../domain/vocabulary/decision-scope.js";
import { findHealthGroups } from "../../../path/writer/copy/batch-steps.js";
import { idFromHex } from "../../../domain/ids/ids.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { TUNING } from "../../../domain/vocabulary/tuning.js";
import type { Outcome } from "../../../domain/vocabulary/vocabulary.js";
import type { BacktestJob, BacktestReport } from "./messages.js";
import { SNAPSHOT, type Tenant, type TenantConnection } from "../../../platform/postgres/tenant-db.js";

export interface BacktestActorOptions {
  tenant: Tenant;
  job: BacktestJob;
  /** Resolves when the front thread has taken the report and is ready for the next one. */
  report(report: BacktestReport): Promise<void>;
}

interface Page {
  recorded: RecordedDecision[];
  outcomes: (Outcome | null)[];
  lastId: string | null;
  /** The number of decisions to read. Only the first page has it. */
  total: number | null;
}

const NEWEST: PageStart = { kind: "offset", rows: 0 };

/**
 * Decides a merchant's stored decisions again with a draft, newest first and page by page. The next page is read while
 * the current one is decided. No further page is read until the front thread has taken the progress.
 */
export async function runBacktest({ tenant, job, report }: BacktestActorOptions): Promise<void> {
  const policy = DecisionPolicy.of(job.policy);
  const tally = new BacktestTally(LIMITS.backtestChangesListedMax);
  const healthOf = createHealthCache(tenant);

  let wanted = job.limit;
  let reading = readPage(tenant, job, NEWEST, Math.min(wanted, TUNING.backtestPageRows));
  let total = 0;
  for (;;) {
    const page = await reading;
    if (page.total !== null) {
      total = Math.min(page.total, job.limit);
      await report({ type: "progress", replayed: 0, total });
    }
    wanted -= page.recorded.length;
    const isLast = page.lastId === null || wanted === 0;
    if (!isLast) {
      const after: PageStart = { kind: "older_than", decisionId: page.lastId as string };
      reading = readPage(tenant, job, after, Math.min(wanted, TUNING.backtestPageRows));
      // The next round awaits this promise. Until then, a failure must not count as unhandled.
      reading.catch(() => undefined);
    }
    const views = await healthOf(page.recorded);
    for (const [at, recorded] of page.recorded.entries()) {
      const { seen, response } = recorded;
      const health = views.get(seen.health);
      if (health === undefined || !isKnownPricing(seen.pricing)) tally.addNotReplayable();
      else tally.add(response, decideAgain(recorded, policy, health), page.outcomes[at] ?? null);
    }
    if (page.recorded.length > 0) await report({ type: "progress", replayed: tally.counted, total });
    if (isLast) break;
  }
  await report({ type: "result", ...tally.result(), warnings: job.warnings });
}

async function readPage(tenant: Tenant, job: BacktestJob, start: PageStart, rows: number): Promise<Page> {
  const scope: DecisionScope = {
    workspaceId: job.workspaceId,
    mode: job.mode,
    merchantScope: job.merchantId,
  };
  const { found, total } = await tenant.transaction(async (client) => {
    const filter = amongKept({ ...EVERY_DECISION, sinceMs: job.sinceMs }, client.firstKeptMs);
    const counted = start === NEWEST ? await countDecisions(client, scope, filter) : null;
    const found = await findPage(client, scope, filter, start, rows, counted?.newestHours ?? null);
    return { found, total: counted?.total ?? null };
  }, SNAPSHOT);
  const documents = await loadDocuments(tenant, job.workspaceId, found);
  const last = found.at(-1);
  return {
    recorded: documents.map(readDocument),
    outcomes: found.map(({ outcome }) => outcome?.outcome ?? null),
    lastId: last === undefined ? null : idFromHex("dec", last.uuid),
    total,
  };
}

/** Keeps the health views of one page for the next page, because neighbouring decisions mostly saw the same health. */
function createHealthCache(db: TenantConnection) {
  let known: ReadonlyMap<string, HealthView> = new Map();
  return async (recorded: readonly RecordedDecision[]): Promise<ReadonlyMap<string, HealthView>> => {
    const wanted = new Set(recorded.map(({ seen }) => seen.health));
    const kept = new Map([...known].filter(([name]) => wanted.has(name)));
    const stored = await findHealthGroups(
      db,
      [...wanted].filter((name) => !kept.has(name)),
    );
    for (const [name, content] of stored) kept.set(name, readHealth(name, content));
    known = kept;
    return kept;
  };
}
