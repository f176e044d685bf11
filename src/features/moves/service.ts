import type { Pool } from "pg";
import { MOVE_TUNING } from "../../domain/vocabulary/tuning/moves.js";
import { coalesce } from "../../platform/timing/coalesce.js";
import { markSeen, readMoves } from "./queries.js";

export interface MoveWatchOptions {
  pool: Pool;
  nodeId: string;
  isReachable(): boolean;
  setGuests(cells: readonly string[]): void;
  /** Resolves to true once all that this node has acknowledged is stored. */
  drained(withinMs: number): Promise<boolean>;
  onError(error: unknown): void;
}

/**
 * A node's part in moves between cells. The node accepts keys and tokens of the old cell before the edge switches a
 * workspace to this cell. After a workspace has left, the node stores what its journal still holds of it. The node
 * records both steps in PostgreSQL.
 */
export function createMoveWatch(options: MoveWatchOptions) {
  const { pool, nodeId, isReachable, setGuests, drained, onError } = options;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;

  const look = coalesce(async (): Promise<void> => {
    const { guests, unseen } = await readMoves(pool, nodeId);
    setGuests(guests);
    for (const move of unseen) {
      if (move.step === "moved" && !(await drained(MOVE_TUNING.drainMsMax)))
        throw new Error("the journal of this node is not stored yet");
      await markSeen(pool, nodeId, move);
    }
  });
  const attempt = async (): Promise<void> => {
    if (isClosed) return;
    try {
      await look();
    } catch (error) {
      if (isReachable()) onError(error);
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(() => void attempt(), MOVE_TUNING.retryMs).unref();
    }
  };

  return {
    /** Looks now. Never rejects: what fails is tried again. */
    look: attempt,
    close(): void {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}

export type MoveWatch = ReturnType<typeof createMoveWatch>;
