import type { Pool } from "pg";
import type { CoalescedRefresh } from "../platform/timing/coalesced-refresh.js";
import type { WorkspaceReports } from "../path/prober/messages.js";
import { createRememberedSync } from "../path/prober/remembered-sync.js";
import { dropOldWebhooks, loadProviderReports } from "../features/webhooks/queries/provider-report.js";
import type { ReplicaWriter } from "../path/replica/replica.js";
import { TUNING } from "../domain/vocabulary/tuning.js";
import type { Logger } from "../platform/telemetry/logger.js";
import { now } from "../platform/timing/clock.js";

export interface ProviderReportParts {
  database: Pool;
  databaseIsReachable(): boolean;
  show(workspaces: readonly WorkspaceReports[]): Promise<void>;
  replica: Pick<ReplicaWriter, "putText">;
  log: Logger;
}

/**
 * Sends the reports that providers made by webhook to the prober. Incidents arrive by notification. The webhook lag is
 * read at intervals, together with anything that a lost notification would have announced. Old webhooks are deleted as
 * well.
 */
export function composeProviderReports(parts: ProviderReportParts): CoalescedRefresh & { close(): void } {
  const { database, databaseIsReachable, show, replica, log } = parts;
  const sync = createRememberedSync({
    name: "provider_reports",
    load: () => loadProviderReports(database, now()),
    show,
    replica,
    onError: (error) => log.warn({ err: error }, "what providers report could not be refreshed"),
  });
  let spaced: NodeJS.Timeout | null = null;
  let readAtMs = Number.NEGATIVE_INFINITY;
  const refreshSoon = (): void => {
    const waitMs = Math.max(0, readAtMs + TUNING.providerReportsSpacingMs - performance.now());
    spaced ??= setTimeout(() => {
      spaced = null;
      readAtMs = performance.now();
      sync.refreshSoon();
    }, waitMs);
  };
  const refreshing = setInterval(() => {
    if (databaseIsReachable()) refreshSoon();
  }, TUNING.providerReportsIntervalMs);
  const sweeping = setInterval(() => {
    if (!databaseIsReachable()) return;
    dropOldWebhooks(database, now()).catch((error: unknown) =>
      log.warn({ err: error }, "old webhooks could not be dropped"),
    );
  }, TUNING.webhookSweepIntervalMs);
  return {
    refresh: sync.refresh,
    refreshSoon,
    close() {
      if (spaced !== null) clearTimeout(spaced);
      clearInterval(refreshing);
      clearInterval(sweeping);
    },
  };
}
