import type { Pool } from "pg";
import { createDecisionWriter } from "../../src/path/writer/decision-writer.js";
import { createHistory, type HistoryOptions } from "./history.js";

const BATCH_DECISIONS = 4000;

/**
 * Writes a history as the service does: with the writer's COPY transactions, including rollups. The last deltas stay
 * unfolded, and readers add them up, as in the running service. `nodeId` names the journal. `onProgress` receives the
 * number of decisions written so far.
 */
export async function fillDatabase(
  pool: Pool,
  nodeId: string,
  options: HistoryOptions,
  onProgress: (written: number) => void,
): Promise<void> {
  const writer = createDecisionWriter(pool, { nodeId });
  let position = await writer.position();
  let written = 0;
  for (const batch of createHistory(options, BATCH_DECISIONS)) {
    if ((await writer.write(batch, ++position)) !== "written") {
      throw new Error("another process writes as the same node");
    }
    written += batch.decisions.length;
    onProgress(written);
  }
}
