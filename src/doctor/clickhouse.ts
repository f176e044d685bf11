import type { Report } from "./finding.js";

const ANSWER_MS_MAX = 3000;

/** CH-8: checks that the ClickHouse for the log's copy accepts name and password, and that the database exists. */
export async function checkClickHouse(url: string | null, report: Report): Promise<void> {
  if (url === null) return report("skipped", "ANALYTICS_URL is not set: PostgreSQL alone has the log");
  const { openClickHouse } = await import("../platform/clickhouse/clickhouse.js");
  const clickHouse = openClickHouse({
    url,
    requestTimeoutMs: ANSWER_MS_MAX,
    applicationName: "payinference-doctor",
  });
  try {
    report("ok", `ClickHouse ${await clickHouse.version()} takes ANALYTICS_URL`);
  } finally {
    await clickHouse.close();
  }
}
