import { setTimeout as sleep } from "node:timers/promises";
import type { Generator } from "../harness/bench-processes.js";
import type { Spread } from "../client/spread-source.js";
import type { GrownDatabase } from "./grown-database.js";
import { evenly, replicaBytes, type GrownService } from "./grown-service.js";
import { grownKey } from "./grown-tenants.js";
import { privateMebibytes } from "./private-memory.js";
import { byTurns, type Sides } from "./sides.js";

/** A first start. The replica is empty, and PostgreSQL holds all tenants. */
export interface FillFigure {
  readyMs: number;
  /** The time until every sample merchant gets decisions by its policy. */
  allDecideMs: number;
  /** The time until the replica has every record. */
  completeMs: number;
  replicaBytes: number;
}

/** Starts on a filled replica, with one value for each round. */
export interface RestartFigures {
  readyMs: number[];
  /** Private memory right after the start, and after a decision for each of many merchants. */
  startedMebibytes: number[];
  usedMebibytes: number[];
}

const CONNECTIONS = 32;
/** Both sides make the same number of decisions, so that journal and heap need the same for them. */
const DECISIONS = 10_000;
const DECISIONS_PER_SECOND = 2_000;
/** A pause after a start or a load. It is long enough for postponed work, such as draining the journal. */
const REST_MS = 1_000;
const SEED = 29_001;

export async function measureFill(service: GrownService): Promise<FillFigure> {
  const beganMs = performance.now();
  const readyMs = await service.start();
  await service.decidesForAll();
  const allDecideMs = performance.now() - beganMs;
  await service.holdsAll();
  const completeMs = performance.now() - beganMs;
  return { readyMs, allDecideMs, completeMs, replicaBytes: await replicaBytes(service.database) };
}

/** Both services are still running afterwards. */
export async function measureRestarts(
  services: Sides<GrownService>,
  generator: Generator,
  rounds: number,
): Promise<Sides<RestartFigures>> {
  const figures = { small: emptyFigures(), large: emptyFigures() };
  await byTurns(services, rounds, async (service, side) => {
    const { readyMs, startedMebibytes, usedMebibytes } = figures[side];
    await service.stop();
    readyMs.push(await service.start());
    await sleep(REST_MS);
    startedMebibytes.push(await privateMebibytes(service.pid()));
    await service.load(generator, {
      spread: everybody(service.database),
      connections: CONNECTIONS,
      durationMs: (DECISIONS / DECISIONS_PER_SECOND) * 1000,
      ratePerSecond: DECISIONS_PER_SECOND,
    });
    await sleep(REST_MS);
    usedMebibytes.push(await privateMebibytes(service.pid()));
  });
  return figures;
}

function emptyFigures(): RestartFigures {
  return { readyMs: [], startedMebibytes: [], usedMebibytes: [] };
}

/** Merchants from all workspaces of the database in turn, one for each decision. */
function everybody({ tenants }: GrownDatabase): Spread {
  const { workspaces, merchantsEach } = tenants;
  const asked = evenly(workspaces, Math.ceil(DECISIONS / merchantsEach));
  return { seed: SEED, keys: asked.map(grownKey), merchantsEach, order: "in turn" };
}
