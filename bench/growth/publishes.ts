import { setTimeout as sleep } from "node:timers/promises";
import type { Generator } from "../harness/bench-processes.js";
import { median } from "../harness/bench-rounds.js";
import { type Spread, spreadMerchantId } from "../client/spread-source.js";
import type { GrownDatabase } from "./grown-database.js";
import { evenly, type GrownService } from "./grown-service.js";
import { grownKey } from "./grown-tenants.js";
import { byTurns, type Sides } from "./sides.js";

export interface LatencyFigure {
  p50Ms: number;
  p99Ms: number;
}

export interface BesideFigures {
  /** Decisions of other tenants, alone and beside the publishes. Each list has one value for each round. */
  alone: LatencyFigure[];
  beside: LatencyFigure[];
  /** The publishes a second, one value for each round. */
  publishesPerSecond: number[];
  /** The publishes not answered with 200, over all rounds. */
  refused: number;
}

/** The publishing workspace, and the number of its merchants. It publishes to them in turn. */
const PUBLISHER = 0;
const PUBLISHED_MERCHANTS = 5;

const PUBLISHES_PER_ROUND = 10;
/** On a slow service the round ends early, with fewer publishes. */
const PUBLISH_ROUND_MS_MAX = 5_000;

/**
 * Publishes in sequence and returns the milliseconds of each, over all rounds. The next decision must already use the
 * new policy.
 */
export async function measurePublishes(
  services: Sides<GrownService>,
  rounds: number,
): Promise<Sides<number[]>> {
  const times: Sides<number[]> = { small: [], large: [] };
  await byTurns(services, rounds, async (service, side) => {
    const ofRound: number[] = [];
    const beganMs = performance.now();
    for (let count = 0; count < PUBLISHES_PER_ROUND; count++) {
      if (performance.now() - beganMs > PUBLISH_ROUND_MS_MAX) break;
      const merchant = count % PUBLISHED_MERCHANTS;
      const { ms, policyId } = await service.publish(PUBLISHER, merchant);
      if ((await service.decide(PUBLISHER, spreadMerchantId(merchant))) !== policyId)
        throw new Error("a publish was answered before it held");
      ofRound.push(ms);
    }
    times[side].push(median(ofRound));
  });
  return times;
}

const CONNECTIONS = 32;
const DECISIONS_PER_SECOND = 200;
const PUBLISHES_PER_SECOND = 10;
const ALONE_MS = 3_000;
const BESIDE_MS = 5_000;
/**
 * How long publishes run before the rounds. V8 compiles the publishing code only after many publishes, on the same
 * cores that decisions are timed on.
 */
const WARM_UP_MS = 5_000;
/**
 * The number of workspaces on both sides, so that both have the same number of keys. The publisher is not among them.
 */
const OTHER_WORKSPACES = 100;
const SEED = 29_002;

export async function measureBesidePublishes(
  services: Sides<GrownService>,
  generator: Generator,
  rounds: number,
): Promise<Sides<BesideFigures>> {
  const figures: Sides<BesideFigures> = { small: emptyFigures(), large: emptyFigures() };
  const decide = async (service: GrownService, durationMs: number): Promise<LatencyFigure> => {
    const { latency } = await service.load(generator, {
      spread: others(service.database),
      connections: CONNECTIONS,
      durationMs,
      ratePerSecond: DECISIONS_PER_SECOND,
    });
    return { p50Ms: latency.percentileMs(50), p99Ms: latency.percentileMs(99) };
  };
  const decideBeside = async (
    service: GrownService,
    durationMs: number,
  ): Promise<{ latency: LatencyFigure } & Publishes> => {
    const publishing = startPublishing(service);
    const latency = await decide(service, durationMs);
    return { latency, ...(await publishing.end()) };
  };
  await byTurns(services, 1, async (service) => void (await decideBeside(service, WARM_UP_MS)));
  await byTurns(services, rounds, async (service, side) => {
    figures[side].alone.push(await decide(service, ALONE_MS));
    const { latency, answeredInTime, refused } = await decideBeside(service, BESIDE_MS);
    figures[side].beside.push(latency);
    figures[side].publishesPerSecond.push(answeredInTime / (BESIDE_MS / 1000));
    figures[side].refused += refused;
  });
  return figures;
}

function emptyFigures(): BesideFigures {
  return { alone: [], beside: [], publishesPerSecond: [], refused: 0 };
}

function others({ tenants }: GrownDatabase): Spread {
  const { workspaces } = tenants;
  const asked = evenly(workspaces, OTHER_WORKSPACES + 1).filter((workspace) => workspace !== PUBLISHER);
  return { seed: SEED, keys: asked.map(grownKey), merchantsEach: PUBLISHED_MERCHANTS, order: "random" };
}

interface Publishes {
  answeredInTime: number;
  refused: number;
}

/** Runs an open loop: a publish begins when it is due, even if the previous one has not been answered. */
function startPublishing(service: GrownService): { end(): Promise<Publishes> } {
  const running: Promise<unknown>[] = [];
  const over = new AbortController();
  const publishes: Publishes = { answeredInTime: 0, refused: 0 };
  const beganMs = performance.now();
  const publish = async (merchant: number): Promise<void> => {
    try {
      await service.publish(PUBLISHER, merchant);
      if (!over.signal.aborted) publishes.answeredInTime++;
    } catch {
      publishes.refused++;
    }
  };
  const schedule = async (): Promise<void> => {
    while (!over.signal.aborted) {
      running.push(publish(running.length % PUBLISHED_MERCHANTS));
      const dueMs = beganMs + (running.length * 1000) / PUBLISHES_PER_SECOND;
      await sleep(Math.max(0, dueMs - performance.now()), undefined, { signal: over.signal }).catch(
        () => undefined,
      );
    }
  };
  const scheduled = schedule();
  return {
    async end() {
      over.abort();
      await scheduled;
      await Promise.all(running);
      return publishes;
    },
  };
}
