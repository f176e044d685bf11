import { resolve } from "node:path";
import type { Difference } from "./path/log-copy/counts.js";
import { differingHours, repairHour } from "./path/log-copy/reconcile.js";
import { openClickHouse } from "./platform/clickhouse/clickhouse.js";
import { readLockFile } from "./platform/postgres/embedded/cluster.js";
import { createPool } from "./platform/postgres/pool.js";
import { readSettings, type Settings } from "./platform/settings/settings.js";

export interface ReconcileOptions {
  environment: Readonly<Record<string, string | undefined>>;
  days: number;
  repairs: boolean;
  print(line: string): void;
  /** Unix milliseconds. */
  now(): number;
}

/** Counting a week, or reading an hour, may take long. */
const STATEMENT_MS_MAX = 600_000;

/** CH-10, CH-11: compares the log in both servers by the hour. Returns the exit code: 1 if something is left to repair. */
export async function reconcile({
  environment,
  days,
  repairs,
  print,
  now,
}: ReconcileOptions): Promise<number> {
  const settings = readSettings(environment);
  const databaseUrl = await databaseUrlOf(settings);
  if (settings.analyticsUrl === null || databaseUrl === null) {
    print(settings.analyticsUrl === null ? "ANALYTICS_URL is not set" : "PostgreSQL does not run");
    return 1;
  }
  const pool = createPool({
    connectionString: databaseUrl,
    // During a copy, one connection holds the lock.
    connectionsMax: 2,
    statementTimeoutMs: STATEMENT_MS_MAX,
    applicationName: "payinference-reconcile",
  });
  const clickHouse = openClickHouse({
    url: settings.analyticsUrl,
    requestTimeoutMs: STATEMENT_MS_MAX,
    applicationName: "payinference-reconcile",
  });
  const compare = (): Promise<Difference[]> => differingHours(pool, clickHouse, days, now());
  try {
    const differing = await compare();
    print(`${differing.length} hours of ${days} days differ`);
    for (const hour of differing) {
      print(lineOf(hour));
      if (repairs) print(`  ${await repairHour(pool, clickHouse, hour)} rows sent`);
    }
    if (!repairs || differing.length === 0) return differing.length === 0 ? 0 : 1;
    const left = await compare();
    print(`${left.length} hours differ after the repair`);
    for (const hour of left) print(lineOf(hour));
    return left.length === 0 ? 0 : 1;
  } finally {
    await clickHouse.close();
    await pool.end();
  }
}

/** Null if the settings ask for an embedded PostgreSQL and none is running. */
async function databaseUrlOf({ database, dataDir }: Settings): Promise<string | null> {
  if (database.kind === "external") return database.url;
  const lock = await readLockFile(resolve(dataDir, "postgres"));
  if (lock === undefined) return null;
  return `postgres://payinference@/payinference?host=${encodeURIComponent(lock.socketDir)}`;
}

/** Writes one line with an hour and its counts in PostgreSQL and in ClickHouse. */
function lineOf({ startMs, stored, copied }: Difference): string {
  const pairs = (["decisions", "outcomes", "reviews"] as const).map(
    (name) => `${name} ${stored[name]} / ${copied[name]}`,
  );
  const isReplaced = stored.outcomes === copied.outcomes && stored.outcomesSum !== copied.outcomesSum;
  return `${new Date(startMs).toISOString()}  ${pairs.join("  ")}${isReplaced ? "  (other outcomes)" : ""}`;
}
