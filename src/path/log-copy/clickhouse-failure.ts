import type { LogCopyReport } from "./messages.js";

class ClickHouseFailure extends Error {}

/** Marks the failures of `work` as ClickHouse's, to tell them from PostgreSQL's. */
export async function inClickHouse(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new ClickHouseFailure("ClickHouse failed", { cause: error });
  }
}

/** Reports only the code, because an error's message may contain rows. */
export function failureOf(error: unknown): LogCopyReport["failures"][number] {
  const isClickHouse = error instanceof ClickHouseFailure;
  const { code, type, name } = (isClickHouse ? error.cause : error) as {
    code?: string;
    type?: string;
    name?: string;
  };
  return { where: isClickHouse ? "clickhouse" : "postgresql", reason: type ?? code ?? name ?? "unknown" };
}
