import type { ReadRequest } from "./reads.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { Patience } from "../../domain/vocabulary/patience.js";
import { WaitingLine, type Place } from "../../platform/timing/waiting-line.js";

export interface ReadLineOptions {
  patience: Pick<Patience, "databaseReadTimeoutMs" | "readWaitMsMax" | "readAnswerMsMin">;
  /** Monotonic milliseconds. */
  now(): number;
  /** Hands a read to the thread. */
  hand(ticket: number, request: ReadRequest): void;
}

export interface QueuedRead {
  readonly request: ReadRequest;
  /** Threads that died over it. */
  deaths: number;
  resolve(json: string | null): void;
  reject(error: Error): void;
}

interface Waiter extends QueuedRead, Place {
  readonly workspaceId: string;
  readonly queuedAtMs: number;
}

/**
 * Reads that wait for the thread that does them, and those that it has. Workspaces have their turns one after the other
 * (OPS-13). A workspace whose first read waits too long is refused more. What has no time left for its answer is not
 * read: else each would be read when its answer is too late, and one stall would last as long as reads come.
 */
export function createReadLine({ patience, now, hand }: ReadLineOptions) {
  const waiting = new WaitingLine<Waiter>({ max: TUNING.readsWaitingMax });
  /** Handed over and not answered yet, by ticket. */
  const atWork = new Map<number, Waiter>();
  let lastTicket = 0;
  const begin = (waiter: Waiter): void => {
    const leftMs = waiter.queuedAtMs + patience.databaseReadTimeoutMs - now();
    if (leftMs < patience.readAnswerMsMin) {
      return waiter.reject(new Error("no time is left for the answer to this read"));
    }
    atWork.set(++lastTicket, waiter);
    hand(lastTicket, waiter.request);
  };
  /** A slow read stays at work for as long as it takes: a place is left for whoever else asks. */
  const mayBegin = (workspaceId: string): boolean => {
    let activeCount = 0;
    for (const waiter of atWork.values()) if (waiter.workspaceId === workspaceId) activeCount++;
    return activeCount < TUNING.readsAtWorkOwnMax;
  };
  const isLate = (workspaceId: string): boolean => {
    const oldest = waiting.oldest(workspaceId);
    return oldest !== undefined && now() - oldest.queuedAtMs > patience.readWaitMsMax;
  };
  /** Hands over as many as there is room for. */
  const handNext = (): void => {
    while (atWork.size < TUNING.readsAtWorkMax) {
      const waiter = waiting.next(mayBegin);
      if (waiter === undefined) return;
      waiter.begin();
    }
  };
  return {
    /** Rejects where its workspace asks for more than can be answered. */
    add(request: ReadRequest): Promise<string | null> {
      const workspaceId = workspaceOf(request);
      if (isLate(workspaceId)) return Promise.reject(tooMany());
      return new Promise((resolve, reject) => {
        const waiter: Waiter = {
          request,
          workspaceId,
          queuedAtMs: now(),
          deaths: 0,
          resolve,
          reject,
          begin: () => begin(waiter),
          refuse: () => reject(tooMany()),
        };
        waiting.add(workspaceId, waiter);
        handNext();
      });
    },
    handNext,
    atWork: atWork as ReadonlyMap<number, QueuedRead>,
    /** Ends its time at work; undefined where it is not there any more. */
    take(ticket: number): QueuedRead | undefined {
      const read = atWork.get(ticket);
      atWork.delete(ticket);
      return read;
    },
  };
}

const tooMany = (): Error => new Error("more reads than can be answered in time");

function workspaceOf(request: ReadRequest): string {
  return "scope" in request ? request.scope.workspaceId : request.workspaceId;
}
