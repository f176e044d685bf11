import type { ReadRequest } from "./reads.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { Patience } from "../../domain/vocabulary/patience.js";
import { WaitingLine, type Place } from "../../platform/timing/waiting-line.js";

export interface ReadLineOptions {
  patience: Pick<Patience, "databaseReadTimeoutMs" | "readWaitMsMax" | "readAnswerMsMin">;
  /** Monotonic milliseconds. */
  now(): number;
  /** Sends a read to the thread. */
  hand(ticket: number, request: ReadRequest): void;
}

export interface QueuedRead {
  readonly request: ReadRequest;
  /** The number of threads that died while they had this read. */
  deaths: number;
  resolve(json: string | null): void;
  reject(error: Error): void;
}

interface Waiter extends QueuedRead, Place {
  readonly workspaceId: string;
  readonly queuedAtMs: number;
}

/**
 * Holds the reads that wait for the reader thread and those that it works on. Workspaces take turns (OPS-13). When a
 * workspace's oldest read has waited too long, further reads of that workspace are refused. A read without enough time
 * left for its answer is skipped. Otherwise one stall would make every later read too late, for as long as reads
 * arrive.
 */
export function createReadLine({ patience, now, hand }: ReadLineOptions) {
  const waiting = new WaitingLine<Waiter>({ max: TUNING.readsWaitingMax });
  /** The reads that the thread has received and not yet answered, by ticket. */
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
  /** A slow read occupies a place until it ends. The limit per workspace leaves a place for other workspaces. */
  const mayBegin = (workspaceId: string): boolean => {
    let activeCount = 0;
    for (const waiter of atWork.values()) if (waiter.workspaceId === workspaceId) activeCount++;
    return activeCount < TUNING.readsAtWorkOwnMax;
  };
  const isLate = (workspaceId: string): boolean => {
    const oldest = waiting.oldest(workspaceId);
    return oldest !== undefined && now() - oldest.queuedAtMs > patience.readWaitMsMax;
  };
  /** Sends as many reads as there are free places. */
  const handNext = (): void => {
    while (atWork.size < TUNING.readsAtWorkMax) {
      const waiter = waiting.next(mayBegin);
      if (waiter === undefined) return;
      waiter.begin();
    }
  };
  return {
    /** Rejects if the workspace asks for more than can be answered in time. */
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
    /** Removes a read from those at work. Returns undefined when it is no longer there. */
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
