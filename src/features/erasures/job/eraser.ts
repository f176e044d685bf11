import { randomFillSync } from "node:crypto";
import type { Pool } from "pg";
import { createIdGenerator, createRandomSource } from "../../../domain/ids/ids.js";
import { now } from "../../../platform/timing/clock.js";
import { runErasures, type ErasuresRunOptions } from "./run-erasures.js";

export interface EraserOptions extends Omit<ErasuresRunOptions, "client" | "nextId" | "isStopping"> {
  pool: Pool;
}

/** Erases what is due. Simultaneous calls share one run. */
export function createEraser({ pool, ...options }: EraserOptions) {
  const ids = createIdGenerator(createRandomSource(randomFillSync));
  let isStopping = false;
  let running: Promise<void> | null = null;
  const run = async (): Promise<void> => {
    const client = await pool.connect();
    let failure: Error | undefined;
    try {
      await runErasures({
        ...options,
        client,
        nextId: () => ids.next(now()),
        isStopping: () => isStopping,
      });
    } catch (error) {
      // Closing the connection also releases its advisory lock.
      failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  };
  return {
    /** Never rejects. */
    look(): Promise<void> {
      if (isStopping) return Promise.resolve();
      return (running ??= run()
        .catch(options.onError)
        .finally(() => (running = null)));
    },
    async stop(): Promise<void> {
      isStopping = true;
      await running;
      await pool.end();
    },
  };
}
