import type { Pool, PoolClient } from "pg";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import { WaitingLine } from "../timing/waiting-line.js";

export interface FairConnectionsOptions {
  /** Of the pool. */
  max: number;
  /** Of one owner. */
  ownMax: number;
  /** How long one is waited for. */
  waitMsMax: number;
}

/**
 * A pool's connections, which owners have one after the other (OPS-13): slow statements of one owner leave the others the
 * rest. Resolves to a client whose `release` gives the turn to whoever waits.
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
          reject(new Error("more waits for a connection to PostgreSQL than can have one in time"));
        },
      };
      const timer = setTimeout(() => {
        waiting.leave(owner, place);
        place.refuse();
      }, waitMsMax);
      waiting.add(owner, place);
    });
  return async (owner) => {
    // While one is free whoever waits may have no more: nobody is overtaken.
    if (heldByAll < max && mayTake(owner)) take(owner);
    else await turnOf(owner);
    try {
      const client = await pool.connect();
      // The pool gives the client a function of its own each time.
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
