import type { Random } from "../../bench/client/random.js";
import { createEventQueue } from "./event-queue.js";
import type { Scale } from "./inputs.js";

export interface WaitOptions {
  /** Decisions a second of the whole cell. */
  ratePerSecond: number;
  /** Seconds of simulated traffic, of which the first tenth only fills the queues. */
  seconds: number;
  nodes: number;
  coresPerNode: number;
  /** The mean time of a decision, in µs of one core. */
  serviceUs: number;
  /** Returns a random factor for the time of one decision. Default: always 1. */
  stretch?: (random: Random) => number;
}

export interface WaitFigures {
  decisions: number;
  /** The share of the cores' time that is used. */
  busy: number;
  meanWaitUs: number;
  p99WaitUs: number;
}

/**
 * Simulates the decisions of a cell. They arrive at random, go to the nodes in turn, and wait at their node for a core.
 * A wait ends when a core is free, and does not include the decision itself.
 */
export function simulateWaits(options: WaitOptions, random: Random): WaitFigures {
  const { ratePerSecond, seconds, nodes, coresPerNode, serviceUs, stretch = () => 1 } = options;
  const until = seconds * 1e6;
  const from = until / 10;
  const free = Array.from<number>({ length: nodes }).fill(coresPerNode);
  const waiting: number[][] = Array.from({ length: nodes }, () => []);
  /** For each node, the index of its first waiting decision. */
  const heads = Array.from<number>({ length: nodes }).fill(0);
  const waits: number[] = [];
  let busyUs = 0;
  // An event is `ARRIVAL`, or the number of a node whose core becomes free.
  const events = createEventQueue<number>();
  const ARRIVAL = -1;
  const gapUs = (): number => -Math.log(1 - random.next()) * (1e6 / ratePerSecond);

  function begin(node: number, at: number, arrivedAt: number): void {
    const us = serviceUs * stretch(random);
    if (arrivedAt >= from) waits.push(at - arrivedAt);
    busyUs += Math.max(0, Math.min(until, at + us) - Math.max(from, at));
    events.push(at + us, node);
  }

  let turn = 0;
  events.push(gapUs(), ARRIVAL);
  for (let next = events.pop(); next !== undefined && next.at < until; next = events.pop()) {
    const { at, event: node } = next;
    if (node === ARRIVAL) {
      const to = turn++ % nodes;
      if ((free[to] as number) > 0) {
        free[to] = (free[to] as number) - 1;
        begin(to, at, at);
      } else waiting[to]?.push(at);
      events.push(at + gapUs(), ARRIVAL);
      continue;
    }
    const line = waiting[node] as number[];
    const head = heads[node] as number;
    if (head < line.length) {
      heads[node] = head + 1;
      begin(node, at, line[head] as number);
    } else free[node] = (free[node] as number) + 1;
  }
  waits.sort((one, other) => one - other);
  return {
    decisions: waits.length,
    busy: busyUs / ((until - from) * nodes * coresPerNode),
    meanWaitUs: waits.reduce((sum, wait) => sum + wait, 0) / waits.length,
    p99WaitUs: waits[Math.floor(waits.length * 0.99)] ?? 0,
  };
}

export interface OutageFigures {
  /** The share of the outage in which nodes took decisions: 1 where no journal was full. */
  takenShare: number;
  /** Seconds of the outage that a journal of the default size would hold. */
  deliveredSeconds: number;
  /** Bytes of each node's journal at the end of the outage. */
  journalBytes: number;
  /**
   * Seconds from the return of PostgreSQL until no node has more than one batch waiting. Infinity if that never
   * happens.
   */
  drainSeconds: number;
  /** Rows stored a second during the drain. */
  storedPerSecond: number;
}

/**
 * Simulates a cell whose PostgreSQL is away. Journals grow. Then one writer a node drains them, a batch at a time,
 * while traffic goes on. All nodes share PostgreSQL's cores, and each batch waits for one.
 */
export function simulateOutage(scale: Scale, ratePerSecond: number, outageSeconds: number): OutageFigures {
  const { nodesPerCell: nodes, drainRows, drainPostgresUs, drainWriterUs, postgresCores } = scale;
  const rate = ratePerSecond / nodes;
  const rowsMax = scale.journalBytesMax / scale.journalBytes;
  const waitingRows = Math.min(rate * outageSeconds, rowsMax);
  const pending = Array.from<number>({ length: nodes }).fill(waitingRows);
  /** When each node's rows were last counted, in seconds since PostgreSQL came back. */
  const countedAt = Array.from<number>({ length: nodes }).fill(0);
  const giveUpAt = 100 * outageSeconds;
  let freeCores = postgresCores;
  let stored = 0;
  const line: number[] = [];
  const events = createEventQueue<{ node: number; rows: number; of: "writer" | "PostgreSQL" }>();

  function encode(node: number, at: number): void {
    const arrived = (at - (countedAt[node] as number)) * rate;
    pending[node] = Math.min((pending[node] as number) + arrived, rowsMax);
    countedAt[node] = at;
    const rows = Math.min(pending[node], drainRows);
    events.push(at + (rows * drainWriterUs) / 1e6, { node, rows, of: "writer" });
  }

  function store(node: number, rows: number, at: number): void {
    freeCores--;
    events.push(at + (rows * drainPostgresUs) / 1e6, { node, rows, of: "PostgreSQL" });
  }

  const rowsOf = Array.from<number>({ length: nodes }).fill(0);
  for (let node = 0; node < nodes; node++) encode(node, 0);
  let now = 0;
  for (let next = events.pop(); next !== undefined; next = events.pop()) {
    now = next.at;
    const { node, rows, of } = next.event;
    if (of === "writer") {
      if (freeCores > 0) store(node, rows, now);
      else {
        rowsOf[node] = rows;
        line.push(node);
      }
      continue;
    }
    freeCores++;
    stored += rows;
    pending[node] = (pending[node] as number) - rows;
    const waiting = line.shift();
    if (waiting !== undefined) store(waiting, rowsOf[waiting] as number, now);
    if (pending.every((some) => some <= drainRows) || now > giveUpAt) break;
    encode(node, now);
  }
  return {
    takenShare: Math.min(1, rowsMax / (rate * outageSeconds)),
    deliveredSeconds: scale.deliveredJournalBytes / scale.journalBytes / rate,
    journalBytes: waitingRows * scale.journalBytes,
    drainSeconds: now > giveUpAt ? Infinity : now,
    storedPerSecond: stored / now,
  };
}
