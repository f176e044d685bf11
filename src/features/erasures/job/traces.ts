import { setTimeout as sleep } from "node:timers/promises";
import { ERASURE_TUNING } from "../../../domain/vocabulary/tuning/erasures.js";
import { forgetChanges } from "../../../path/changes/change-queries.js";
import { forgetEvidence } from "../../../path/prober/evidence-queries.js";
import type { ErasureWork } from "./step.js";

/**
 * RET-23: removes the messages between nodes that name the owner, before they expire. It first waits until the nodes
 * have read the change feed. A node that is away for longer than this wait copies everything anew.
 */
export async function removeTraces({ client, workspaceId, merchantId }: ErasureWork): Promise<void> {
  if (merchantId === null) await forgetEvidence(client, workspaceId);
  await sleep(ERASURE_TUNING.changesReadMs);
  for (let attempt = 0; attempt < ERASURE_TUNING.settleAttemptsMax; attempt++) {
    if ((await forgetChanges(client, workspaceId, merchantId)) === 0) return;
    await sleep(ERASURE_TUNING.settlePauseMs);
  }
  throw new Error("a transaction that is older than the last changes goes on for long");
}
