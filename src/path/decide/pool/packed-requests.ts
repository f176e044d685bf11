import type { DecideTask, DecisionCaller } from "./messages.js";
import type { TaskPage } from "./task-page.js";

/** What a decide worker gets of a request. */
export interface DecideRequest {
  caller: DecisionCaller;
  body: string;
  idempotencyKey: string | null;
  /** When the last byte of the body was received (`monotonicMs`). */
  receivedAtMs: number;
}

/**
 * Packs requests into the task of a slot, with their numbers in the slot's page. Pack them again for each attempt: a
 * worker that died may have overwritten numbers with answers.
 */
export function packRequests(requests: readonly DecideRequest[], slot: number, page: TaskPage): DecideTask {
  // A grant contains more than a worker needs. So each distinct grant is reduced, one time per batch.
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

/** Returns the request at an index, from what `packRequests` wrote. Use it only until the task's answers are packed. */
export function unpackRequest(task: DecideTask, page: TaskPage, index: number): DecideRequest {
  return {
    caller: task.callers[page.words[2 * index] as number] as DecisionCaller,
    body: task.bodies[index] as string,
    idempotencyKey: task.idempotencyKeys?.[index] ?? null,
    receivedAtMs: page.timesMs[index] as number,
  };
}
