import type { Pool } from "pg";
import { createIdentityReader, createSharedIdentity } from "../path/decide/pool/shared-memory.js";
import { createNodeIdentity, type NodeIdentityOptions } from "../path/decide/identity/node-identity.js";
import type { DecisionIds } from "../domain/ids/decision-id.js";
import { TUNING } from "../domain/vocabulary/tuning.js";
import type { Logger } from "../platform/telemetry/logger.js";
import type { Closers } from "./closers.js";

export interface DecisionIdParts {
  /** The shared memory from which the decide workers read the node's identity. */
  memory: SharedArrayBuffer;
  /** Null until `claim` has resolved, if DATA_DIR is new. */
  ids(): DecisionIds | null;
  /** Claims the node's number in PostgreSQL, and renews it regularly. */
  claim(pool: Pool, lastSequence: () => number): Promise<void>;
  /** NODE-5: releases the number at a stop, after the last decision. Does nothing if the number was never confirmed. */
  giveBack(pool: Pool): Promise<void>;
  /** Logs one line if other nodes make decision ids with another SECRET_KEY. */
  logKeyMismatch(): void;
}

/** Decision ids on this node: workers make them, and the front verifies them. */
export async function composeDecisionIds(
  options: NodeIdentityOptions & { log: Logger; closers: Closers },
): Promise<DecisionIdParts> {
  const { log, closers } = options;
  const identity = createNodeIdentity(options);
  const shared = createSharedIdentity();
  const kept = await identity.kept();
  if (kept !== null) shared.set(kept);
  let isKeyMismatched = false;
  let isConfirmed = false;
  const claim = async (pool: Pool, lastSequence: number): Promise<void> => {
    const claimed = await identity.claim(pool, lastSequence);
    isConfirmed = true;
    shared.set(claimed);
    ({ isKeyMismatched } = claimed);
  };
  return {
    memory: shared.memory,
    ids: createIdentityReader(shared.memory),
    logKeyMismatch() {
      if (!isKeyMismatched) return;
      log.error(
        "SECRET_KEY is not the one that decision ids of this database are made with; outcomes of other nodes' decisions are refused",
      );
    },
    giveBack: async (pool) => (isConfirmed ? identity.giveBack(pool) : undefined),
    async claim(pool, lastSequence) {
      await claim(pool, lastSequence());
      const claiming = setInterval(() => {
        claim(pool, lastSequence()).catch((error: unknown) =>
          log.warn({ err: error }, "the node's number is not confirmed"),
        );
      }, TUNING.nodeNumberClaimIntervalMs).unref();
      closers.push(() => clearInterval(claiming));
    },
  };
}
