import type { CachedKeyFigure } from "./engine/cached-key.js";
import type { JournalBacklogFigure } from "./engine/journal-backlog.js";
import type { PolicyCheckFigure } from "./engine/policy-check.js";
import type { PricedEngineFigure } from "./engine/priced-engine.js";
import type { ServiceStartFigure } from "./harness/service-start.js";
import { median, type Round, type RowId } from "./harness/bench-rounds.js";
import { ratioWithinRounds, roundsOf, type RowRounds } from "./harness/bench-table.js";
import type { FloorResult } from "./harness/floor-result.js";

export interface EngineFigure {
  rules: number;
  policyUs: number;
  decideUs: number;
  renderUs: number;
}

export interface BenchFigures {
  rows: readonly RowRounds[];
  /** Open loop at half of each row's own highest rate, one entry a round. */
  halfRate: ReadonlyMap<RowId, readonly Round[]>;
  /** autocannon against row (b); undefined when it did not run. */
  autocannon: { exitStatus: number; p95Ms: number; requestsPerSecond: number } | undefined;
  engine: readonly EngineFigure[];
  /** undefined when it did not run. */
  policyCheck: PolicyCheckFigure | undefined;
  /** undefined when it did not run. */
  pricedEngine: PricedEngineFigure | undefined;
  /** undefined when it did not run. */
  cachedKey: CachedKeyFigure | undefined;
  /** undefined when it did not run. */
  journalBacklog: JournalBacklogFigure | undefined;
  /** undefined when it did not run. */
  serviceStart: ServiceStartFigure | undefined;
}

/** What the project promises of its speed (issue "The decision path", "How fast"). */
export const FLOORS = {
  serviceToBare: 0.2,
  serviceToRival: 6,
  noPersistenceToBare: 0.38,
  p95BudgetMs: 50,
  halfRateP99ToBare: 2.5,
  halfRateP99Ms: 10,
  enginePolicyUs: { 10: 3, 100: 5 },
  policyCheckMs: 5,
  enginePricedToUnpriced: 1.3,
  cachedKeyUs: 2,
  journalBacklogToShort: 2,
  freshStartMs: 5_000,
  startAgainMs: 2_000,
  idleMegabytes: 300,
} as const;

/** One result a floor; a floor whose rows did not run is left out. */
export function checkFloors(figures: BenchFigures): FloorResult[] {
  const results: FloorResult[] = [];
  const check = (passed: boolean, line: string): void => void results.push({ passed, line });
  const [a, b, c, d] = (["a", "b", "c", "d"] as const).map((id) => roundsOf(figures.rows, id));

  const ratio = (
    name: string,
    of: readonly Round[] | undefined,
    to: readonly Round[] | undefined,
    floor: number,
  ) => {
    if (of === undefined || to === undefined) return;
    const { median: value } = ratioWithinRounds(of, to);
    check(value >= floor, `${name} is ${value.toFixed(3)}, at least ${floor}`);
  };
  ratio("(b) ÷ (a), sustained into PostgreSQL,", b, a, FLOORS.serviceToBare);
  ratio("(b) ÷ (d)", b, d, FLOORS.serviceToRival);
  ratio("(c) ÷ (a)", c, a, FLOORS.noPersistenceToBare);

  if (b !== undefined) {
    const p95Ms = median(b.map((round) => round.p95Ms));
    check(
      p95Ms < FLOORS.p95BudgetMs,
      `p95 of (b) at its highest rate is ${p95Ms.toFixed(2)} ms, under ${FLOORS.p95BudgetMs} ms`,
    );
  }
  if (figures.autocannon !== undefined) {
    const { exitStatus, p95Ms } = figures.autocannon;
    check(
      exitStatus === 0 && p95Ms < FLOORS.p95BudgetMs,
      `p95 of (b) under autocannon is ${p95Ms.toFixed(2)} ms, under ${FLOORS.p95BudgetMs} ms, every reply a 200 (npm run load: exit ${exitStatus})`,
    );
  }
  const halfBare = figures.halfRate.get("a");
  const halfService = figures.halfRate.get("b");
  if (halfBare !== undefined && halfService !== undefined) {
    const p99Ms = median(halfService.map((round) => round.p99Ms));
    const times = median(
      halfService.map((round, index) => round.p99Ms / (halfBare[index]?.p99Ms ?? Number.NaN)),
    );
    check(
      times <= FLOORS.halfRateP99ToBare,
      `p99 of (b) at half rate is ${times.toFixed(2)} times that of (a), at most ${FLOORS.halfRateP99ToBare}`,
    );
    check(
      p99Ms < FLOORS.halfRateP99Ms,
      `p99 of (b) at half rate is ${p99Ms.toFixed(2)} ms, under ${FLOORS.halfRateP99Ms} ms`,
    );
  }
  for (const { rules, policyUs } of figures.engine) {
    const floor = FLOORS.enginePolicyUs[rules as keyof typeof FLOORS.enginePolicyUs] as number | undefined;
    if (floor !== undefined) {
      check(
        policyUs < floor,
        `policy work with ${rules} rules is ${policyUs.toFixed(2)} µs, under ${floor} µs`,
      );
    }
  }
  if (figures.policyCheck !== undefined) {
    const { rules, checkMs } = figures.policyCheck;
    check(
      checkMs < FLOORS.policyCheckMs,
      `validating and compiling a policy of ${rules} rules takes ${checkMs.toFixed(2)} ms, under ${FLOORS.policyCheckMs} ms`,
    );
  }
  if (figures.pricedEngine !== undefined) {
    const { rules, ratio: times } = figures.pricedEngine;
    check(
      times <= FLOORS.enginePricedToUnpriced,
      `a deterministic-v2 decision with ${rules} prices takes ${times.toFixed(2)} times a v1 one, at most ${FLOORS.enginePricedToUnpriced}`,
    );
  }
  if (figures.cachedKey !== undefined) {
    const { keys, authenticateUs } = figures.cachedKey;
    check(
      authenticateUs < FLOORS.cachedKeyUs,
      `authenticating one of ${keys} cached keys takes ${authenticateUs.toFixed(2)} µs, under ${FLOORS.cachedKeyUs} µs`,
    );
  }
  if (figures.journalBacklog !== undefined) {
    const { batches, ratio: times } = figures.journalBacklog;
    check(
      times <= FLOORS.journalBacklogToShort,
      `a commit into a journal of ${batches} batches takes ${times.toFixed(2)} times one into a short one, at most ${FLOORS.journalBacklogToShort}`,
    );
  }
  if (figures.serviceStart !== undefined) {
    const { freshMs, againMs, idleMegabytes } = figures.serviceStart;
    const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
    check(
      freshMs < FLOORS.freshStartMs,
      `ready ${seconds(freshMs)} after the start on an empty DATA_DIR, under ${FLOORS.freshStartMs / 1000} s`,
    );
    check(
      againMs < FLOORS.startAgainMs,
      `ready ${seconds(againMs)} after a start on the same, under ${FLOORS.startAgainMs / 1000} s`,
    );
    check(
      idleMegabytes < FLOORS.idleMegabytes,
      `idle it holds ${idleMegabytes.toFixed(0)} MB without PostgreSQL, under ${FLOORS.idleMegabytes} MB`,
    );
  }
  for (const { row, rounds } of figures.rows) {
    for (const fault of faults(rounds)) check(false, `(${row.id}) ${fault}`);
  }
  for (const [id, rounds] of figures.halfRate) {
    for (const fault of faults(rounds)) check(false, `(${id}) at half rate: ${fault}`);
  }
  return results;
}

/** A fast wrong answer is no answer: any reply but a 200 fails the bench. */
function faults(rounds: readonly Round[]): string[] {
  const totals = new Map<string, number>();
  for (const round of rounds) {
    for (const [kind, count] of Object.entries(round.faults))
      totals.set(kind, (totals.get(kind) ?? 0) + count);
  }
  return [...totals].map(([kind, count]) => `${count} requests without a 200: ${kind}`);
}
