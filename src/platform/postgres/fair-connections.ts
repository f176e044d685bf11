import type { Pool, PoolClient } from "pg";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import { WaitingLine } from "../timing/waiting-line.js";

export interface FairConnectionsOptions {
  /** The connections of the pool. */
  max: number;
  /** The most connections that one owner may hold. */
  ownMax: number;
  /** The longest that a request waits for a connection. */
  waitMsMax: number;
}

/**
 * Serves a pool's connections round-robin by owner (OPS-13). Slow statements of one owner leave connections for others.
 * Resolves to a client whose `release` passes the connection on to the next owner in line.
 */
export function createFairConnections(
  pool: Pick<Pool, "connect">,
  { max, ownMax, waitMsMax }: FairConnectionsOptions,
): (owner: string) => Promise<PoolClient> {
  const waiting = new WaitingLine({ max: TUNING.connectionsAwaitedMax });
  const held = new Map<string, number>();
  let heldByAll = 0;
  const mayTake = (owner: string): boolean => (held.get(owner) ?? 0) < ownMax;
  const take = (owner: string): void => {
    heldByAll++;
    held.set(owner, (held.get(owner) ?? 0) + 1);
  };
  const giveBack = (owner: string): void => {
    heldByAll--;
    const left = (held.get(owner) ?? 0) - 1;
    if (left > 0) held.set(owner, left);
    else held.delete(owner);
    waiting.next(mayTake)?.begin();
  };
  const turnOf = (owner: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const place = {
        begin() {
          clearTimeout(timer);
          take(owner);
          resolve();
        },
        refuse() {
          clearTimeout(timer);
          reject(new Error("too many requests wait for a connection to PostgreSQL"));
        },
      };
      const timer = setTimeout(() => {
        waiting.leave(owner, place);
        place.refuse();
      }, waitMsMax);
      waiting.add(owner, place);
    });
  return async (owner) => {
    // If a connection is free, every owner in line already holds its maximum. So this owner overtakes nobody.
    if (heldByAll < max && mayTake(owner)) take(owner);
    else await turnOf(owner);
    try {
      const client = await pool.connect();
      // The pool gives the client a new `release` each time, so it is wrapped each time.
      const { release } = client;
      client.release = (failure) => {
        release.call(client, failure);
        giveBack(owner);
      };
      return client;
    } catch (error) {
      giveBack(owner);
      throw error;
    }
  };
}
