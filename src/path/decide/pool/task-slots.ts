import { DECISION_ID_LANES } from "../../../domain/ids/decision-id.js";
import { TUNING } from "../../../domain/vocabulary/tuning.js";
import { MIRROR } from "../../../domain/vocabulary/tuning/mirror.js";

/** The task slots that all lanes of a pool share. The number of a slot is also that of its page (shared-memory.ts). */
export interface TaskSlots {
  /**
   * Takes a slot for the caller, who must return it with `free`. Null if every worker has its full number of tasks, or
   * if no slot is free.
   *
   * @param waits true if the task may wait for the shared cache, and its worker can then start another
   */
  take(waits: boolean): number | null;
  /** Call this when a worker has replied, but the slot still has the answers. The worker may get another task. */
  replied(slot: number): void;
  free(slot: number): void;
  /** True if a worker would start a task at once. */
  hasIdleWorker(): boolean;
}

export interface PoolSlots extends TaskSlots {
  /** The number of tasks that workers have. */
  tasksInFlight(): number;
  /** The number of tasks that workers have ended since the start. */
  tasksEnded(): number;
}

export interface PoolSlotsOptions {
  workers: number;
  /** The most tasks that workers may have. */
  tasksMax: number;
  /** At least `tasksMax`. More slots than tasks let answers wait in a slot while workers go on. */
  slotsMax: number;
  /** Called when a worker may get another task. */
  onFree(): void;
}

/**
 * How many tasks workers may have, and how many slots there are. With a mirror there are more slots, as far as there are
 * lanes of decision ids.
 */
export function slotNumbers(
  workers: number,
  isMirrored: boolean,
): Pick<PoolSlotsOptions, "tasksMax" | "slotsMax"> {
  const tasksMax = workers * TUNING.tasksPerWorkerMax;
  if (tasksMax > DECISION_ID_LANES) throw new RangeError("more tasks than lanes of decision ids");
  const slotsMax = isMirrored ? Math.min(tasksMax * MIRROR.slotsPerTask, DECISION_ID_LANES) : tasksMax;
  return { tasksMax, slotsMax };
}

export function createTaskSlots({ workers, tasksMax, slotsMax, onFree }: PoolSlotsOptions): PoolSlots {
  const freeSlots = Array.from({ length: slotsMax }, (_, slot) => slot);
  /** The slots whose task a worker has, and whether the task may wait for the shared cache. */
  const tasks = new Map<number, boolean>();
  let waiting = 0;
  let ended = 0;

  const endTask = (slot: number): void => {
    const waits = tasks.get(slot);
    if (waits === undefined) return;
    tasks.delete(slot);
    if (waits) waiting--;
    ended++;
  };

  return {
    take(waits) {
      if (tasks.size >= tasksMax) return null;
      const slot = freeSlots.pop();
      if (slot === undefined) return null;
      tasks.set(slot, waits);
      if (waits) waiting++;
      return slot;
    },
    replied(slot) {
      endTask(slot);
      onFree();
    },
    free(slot) {
      endTask(slot);
      freeSlots.push(slot);
      onFree();
    },
    hasIdleWorker: () => tasks.size - waiting < workers,
    tasksInFlight: () => tasks.size,
    tasksEnded: () => ended,
  };
}
