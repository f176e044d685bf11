import type { DecideTask, DecisionCaller } from "./messages.js";
import type { TaskPage } from "./task-page.js";

/** What a decide worker is told of one request. */
export interface DecideRequest {
  caller: DecisionCaller;
  body: string;
  idempotencyKey: string | null;
  /** Monotonic milliseconds at which the last body byte was received (`monotonicMs`). */
  receivedAtMs: number;
}

/**
 * The requests as the task of a slot, and the numbers of each in the slot's page. To be packed anew for each attempt:
 * answers are written over the numbers, and a worker may have died behind that.
 */
export function packRequests(requests: readonly DecideRequest[], slot: number, page: TaskPage): DecideTask {
  // Grants hold more than a worker needs: each distinct one is copied down once per batch.
  const grants: DecisionCaller[] = [];
  const callers: DecisionCaller[] = [];
  const bodies: string[] = [];
  let idempotencyKeys: (string | null)[] | null = null;
  for (let index = 0; index < requests.length; index++) {
    const { caller, body, idempotencyKey, receivedAtMs } = requests[index] as DecideRequest;
    let at = grants.indexOf(caller);
    if (at === -1) {
      at = grants.push(caller) - 1;
      const { workspaceId, mode, merchantScope } = caller;
      callers.push({ workspaceId, mode, merchantScope });
    }
    page.words[2 * index] = at;
    page.timesMs[index] = receivedAtMs;
    bodies.push(body);
    if (idempotencyKey !== null) {
      idempotencyKeys ??= requests.map(() => null);
      idempotencyKeys[index] = idempotencyKey;
    }
  }
  return { page: slot, callers, bodies, idempotencyKeys };
}

/** The request at a position, until its task's answers are packed; the inverse of `packRequests`. */
export function unpackRequest(task: DecideTask, page: TaskPage, index: number): DecideRequest {
  return {
    caller: task.callers[page.words[2 * index] as number] as DecisionCaller,
    body: task.bodies[index] as string,
    idempotencyKey: task.idempotencyKeys?.[index] ?? null,
    receivedAtMs: page.timesMs[index] as number,
  };
}
