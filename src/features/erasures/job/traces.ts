import { setTimeout as sleep } from "node:timers/promises";
import { ERASURE_TUNING } from "../../../domain/vocabulary/tuning/erasures.js";
import { forgetChanges } from "../../../path/changes/change-queries.js";
import { forgetEvidence } from "../../../path/prober/evidence-queries.js";
import type { ErasureWork } from "./step.js";

/**
 * RET-23: removes those messages between nodes that name the owner, instead of letting them expire. Rows of the change
 * feed are removed only after the nodes had time to read them. A node that is away for longer copies everything anew.
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
