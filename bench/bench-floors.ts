import type { EnginePass } from "./engine.js";
import type { JournalBacklogFigure } from "./engine/journal-backlog.js";
import type { PricedEngineFigure } from "./engine/priced-engine.js";
import type { ServiceStartFigure } from "./harness/service-start.js";
import { median, type Round, type RowId } from "./harness/bench-rounds.js";
import { ratioWithinRounds, roundsOf, type RowRounds } from "./harness/bench-table.js";
import { faultFloors, type FloorResult } from "./harness/floor-result.js";

export interface BenchFigures {
  rows: readonly RowRounds[];
  /** Rounds of the open loop at half of each row's own highest rate. */
  halfRate: ReadonlyMap<RowId, readonly Round[]>;
  /** The figures of autocannon against row (b). Undefined when it did not run. */
  autocannon: { exitStatus: number; p95Ms: number; requestsPerSecond: number } | undefined;
  /** Empty when the engine was not measured. */
  engine: readonly EnginePass[];
  /** Undefined when it did not run. */
  pricedEngine: PricedEngineFigure | undefined;
  /** Undefined when it did not run. */
  journalBacklog: JournalBacklogFigure | undefined;
  /** Undefined when it did not run. */
  serviceStart: ServiceStartFigure | undefined;
}

/**
 * The speed that the project promises (issue "The decision path", "How fast"). Most floors are ratios within one run,
 * so that they hold on a slow host too. Two are absolute: the customer's budget, and memory, which does not depend on
 * the host.
 */
export const FLOORS = {
  serviceToBare: 0.2,
  serviceToRival: 6,
  noPersistenceToBare: 0.38,
  mirroredToService: 0.8,
  p95BudgetMs: 50,
  halfRateP99ToBare: 2.5,
  /** Relative to the engine's plainest decision: one rule, decided and rendered. */
  policyToDecision: { 10: 0.4, 100: 1 },
  policyCheckToDecision: 1000,
  cachedKeyToDecision: 0.5,
  learningToDecision: 1.25,
  enginePricedToUnpriced: 1.3,
  journalBacklogToShort: 2,
  freshStartToAgain: 3,
  startAgainToBare: 25,
  idleMegabytes: 300,
} as const;

/** One result for each floor. A floor is left out when its rows did not run. */
export function checkFloors(figures: BenchFigures): FloorResult[] {
  return [
    ...rateFloors(figures.rows),
    ...budgetFloors(figures),
    ...halfRateFloors(figures.halfRate),
    ...engineFloors(figures.engine),
    ...pairFloors(figures),
    ...startFloors(figures.serviceStart),
    ...figures.rows.flatMap(({ row, rounds }) => faultFloors(`(${row.id})`, rounds.map(faultsIn))),
    ...Array.from(figures.halfRate).flatMap(([id, rounds]) =>
      faultFloors(`(${id}) at half rate:`, rounds.map(faultsIn)),
    ),
  ];
}

const faultsIn = ({ faults }: Round): Round["faults"] => faults;

/** Both checks fail for NaN. */
function atLeast(name: string, value: number, floor: number): FloorResult {
  return { passed: value >= floor, line: `${name} is ${value.toFixed(3)}, at least ${floor}` };
}

function atMost(name: string, times: number, of: string, floor: number): FloorResult {
  return { passed: times <= floor, line: `${name} ${times.toFixed(2)} times ${of}, at most ${floor}` };
}

function rateFloors(rows: BenchFigures["rows"]): FloorResult[] {
  const floors: Array<[string, RowId, RowId, number]> = [
    ["(b) ÷ (a), sustained into PostgreSQL,", "b", "a", FLOORS.serviceToBare],
    ["(b) ÷ (d)", "b", "d", FLOORS.serviceToRival],
    ["(c) ÷ (a)", "c", "a", FLOORS.noPersistenceToBare],
    ["(f) ÷ (b)", "f", "b", FLOORS.mirroredToService],
  ];
  return floors.flatMap(([name, of, to, floor]) => {
    const [upper, lower] = [roundsOf(rows, of), roundsOf(rows, to)];
    if (upper === undefined || lower === undefined) return [];
    return [atLeast(name, ratioWithinRounds(upper, lower).median, floor)];
  });
}

/** The customer's budget: the only absolute time, independent of the host. */
function budgetFloors({ rows, autocannon }: BenchFigures): FloorResult[] {
  const floors: FloorResult[] = [];
  const budget = `under ${FLOORS.p95BudgetMs} ms`;
  const service = roundsOf(rows, "b");
  if (service !== undefined) {
    const p95Ms = median(service.map((round) => round.p95Ms));
    floors.push({
      passed: p95Ms < FLOORS.p95BudgetMs,
      line: `p95 of (b) at its highest rate is ${p95Ms.toFixed(2)} ms, ${budget}`,
    });
  }
  if (autocannon !== undefined) {
    const { exitStatus, p95Ms } = autocannon;
    floors.push({
      passed: exitStatus === 0 && p95Ms < FLOORS.p95BudgetMs,
      line: `p95 of (b) under autocannon is ${p95Ms.toFixed(2)} ms, ${budget}, every reply a 200 (npm run load: exit ${exitStatus})`,
    });
  }
  return floors;
}

function halfRateFloors(halfRate: BenchFigures["halfRate"]): FloorResult[] {
  const [bare, service] = [halfRate.get("a"), halfRate.get("b")];
  if (bare === undefined || service === undefined) return [];
  const times = median(service.map((round, index) => round.p99Ms / (bare[index]?.p99Ms ?? Number.NaN)));
  return [atMost("p99 of (b) at half rate is", times, "that of (a)", FLOORS.halfRateP99ToBare)];
}

/** Takes each ratio within a pass, and then the median over the passes. */
function engineFloors(passes: BenchFigures["engine"]): FloorResult[] {
  const [first] = passes;
  if (first === undefined) return [];
  const inDecisions = (us: (pass: EnginePass) => number): number =>
    median(passes.map((pass) => us(pass) / plainestDecisionUs(pass)));
  const policyUs = ({ rows }: EnginePass, rules: number): number =>
    rows.find((row) => row.rules === rules)?.policyUs ?? Number.NaN;
  const decision = "a decision with one rule";
  return [
    ...([10, 100] as const).map((rules) =>
      atMost(
        `policy work with ${rules} rules takes`,
        inDecisions((pass) => policyUs(pass, rules)),
        decision,
        FLOORS.policyToDecision[rules],
      ),
    ),
    atMost(
      `validating and compiling a policy of ${first.policyCheck.rules} rules takes`,
      inDecisions(({ policyCheck }) => policyCheck.checkMs * 1000),
      decision,
      FLOORS.policyCheckToDecision,
    ),
    atMost(
      `authenticating one of ${first.cachedKey.keys} cached keys takes`,
      inDecisions(({ cachedKey }) => cachedKey.authenticateUs),
      decision,
      FLOORS.cachedKeyToDecision,
    ),
    atMost(
      `learning an outcome of one of ${first.learning.places} places takes`,
      inDecisions(({ learning }) => learning.learnUs),
      decision,
      FLOORS.learningToDecision,
    ),
  ];
}

function plainestDecisionUs({ rows }: EnginePass): number {
  const row = rows.find(({ rules }) => rules === 1);
  return row === undefined ? Number.NaN : row.decideUs + row.renderUs;
}

/** The floors of measurements that compare two sides themselves. */
function pairFloors({ pricedEngine, journalBacklog }: BenchFigures): FloorResult[] {
  const floors: FloorResult[] = [];
  if (pricedEngine !== undefined) {
    const name = `a deterministic-v2 decision with ${pricedEngine.rules} prices takes`;
    floors.push(atMost(name, pricedEngine.ratio, "a v1 one", FLOORS.enginePricedToUnpriced));
  }
  if (journalBacklog !== undefined) {
    const name = `a commit into a journal of ${journalBacklog.batches} batches takes`;
    floors.push(atMost(name, journalBacklog.ratio, "one into a short one", FLOORS.journalBacklogToShort));
  }
  return floors;
}

function startFloors(figure: ServiceStartFigure | undefined): FloorResult[] {
  if (figure === undefined) return [];
  const { freshMs, againMs, bareMs, idleMegabytes } = figure;
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s, which is`;
  const again = median(againMs);
  return [
    atMost(
      `ready on an empty DATA_DIR after ${seconds(freshMs)}`,
      freshMs / again,
      "a start on the same",
      FLOORS.freshStartToAgain,
    ),
    atMost(
      `ready on the same after ${seconds(again)}`,
      median(againMs.map((ms, round) => ms / (bareMs[round] ?? Number.NaN))),
      "the start of (a)",
      FLOORS.startAgainToBare,
    ),
    {
      passed: idleMegabytes < FLOORS.idleMegabytes,
      line: `idle it holds ${idleMegabytes.toFixed(0)} MB without PostgreSQL, under ${FLOORS.idleMegabytes} MB`,
    },
  ];
}
