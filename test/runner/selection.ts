import type { RunOptions } from "./options.js";
import { nameIn, OLDEST_MAJOR, stagesOf, type Stage } from "./stages.js";

/** These tests need what a machine may lack, such as a browser, a Valkey or Redis, an edge proxy, or ClickHouse. */
const INSTALLED = [
  "browser/",
  "nodes/",
  "attacks/edge-",
  "processes/log-copy/",
  "faults/cache/cache-outage.",
  "service/docs/docs-page.",
  "service/postgres/postgres-refused.",
];
/** `npm test` runs the unit tests and the tests of the service's behaviour. */
const QUICK = ["unit/", "service/"];
/**
 * Tests of everything that writes and reads PostgreSQL: the writer, outcomes, the log and its figures, and
 * administration. Faults, replays and backtests send the same statements.
 */
const OF_POSTGRES = [
  "service/account",
  "service/alerts/",
  "service/analytics/analytics",
  "service/api-keys/api-keys.",
  "service/audit/audit-log.",
  "service/decide/decision-",
  "service/decisions/decision-",
  "service/reviews/decision-",
  "service/decide/normal-amount.",
  "processes/pricing/observed-pricing.",
  "service/outcomes/outcomes.",
  "processes/platform-admin/platform-admin.",
  "service/policies/policies.",
  "service/postgres/postgres-catalog.",
  "service/postgres/postgres-migrate.",
  "service/writer/postgres-writer.",
  "service/pricing/pric",
  "processes/overrides/provider-",
  "processes/webhooks/provider-",
  "service/decisions/reads.",
  "service/analytics/rollup-",
  "service/writer/rollup-",
  "service/decisions/row-",
  "service/postgres/row-",
  "service/team/team.",
  "service/postgres/tenant-",
  "service/analytics/usage-analytics.",
];
/**
 * The tests whose statements differ most between versions. They run on the versions between the oldest and the
 * newest.
 */
const OF_EACH_POSTGRES = [
  "service/analytics/analytics-cost-retries.",
  "service/outcomes/outcomes.",
  "service/decisions/reads.",
  "service/postgres/postgres-catalog.",
  "service/postgres/postgres-migrate.",
  "service/reviews/decision-review.",
  "service/writer/postgres-writer.",
];
/** Tests that must pass with any number of nodes: decisions, outcomes, policies and provider health. */
const OF_TWO_NODES = [
  "nodes/two-as-one.",
  "service/api-keys/api-keys.",
  "service/decisions/decision-aggregate.",
  "service/decisions/decision-detail.",
  "service/decisions/decision-explanation.",
  "service/decide/decision-latency.",
  "service/decisions/decision-list.",
  "processes/decisions/decision-replay.",
  "service/reviews/decision-review.",
  "service/decide/decision.",
  "service/decide/engine-",
  "processes/provider-health/health",
  "service/outcomes/",
  "processes/outcomes/",
  "service/policies/policies.",
  "processes/policies/policy-backtest.",
  "service/policies/policy-if-match.",
  "service/policies/policy-simulate.",
  "processes/overrides/provider-overrides.",
];

/** Every entry of these lists is the beginning of a path under dist/test/. */
export const LISTS = { INSTALLED, QUICK, OF_POSTGRES, OF_EACH_POSTGRES, OF_TWO_NODES };

export const isOfInstalled = (file: string): boolean => startsWithOneOf(file, INSTALLED);

/** The test files of one stage, by path and in order. */
export interface StageFiles {
  stage: Stage;
  files: string[];
}

/** The test files of a run by stage, or one line for each pattern that selects no file. */
export function selectFiles(
  all: readonly string[],
  options: RunOptions,
): StageFiles[] | { faults: string[] } {
  const ofKind = all.filter((file) => isLong(file) === options.isLong).toSorted();
  const { patterns } = options;
  const stages = stagesOf(options);
  if (patterns.length === 0)
    return stages.map((stage) => ({
      stage,
      files: ofKind.filter((file) => isOfStage(file, stage, options)),
    }));
  const faults = patterns
    .filter((pattern) => !ofKind.some((file) => file.includes(pattern)))
    .map((pattern) => `no test file matches ${pattern}${elsewhere(all, pattern, options)}`);
  if (faults.length > 0) return { faults };
  const matching = ofKind.filter((file) => patterns.some((pattern) => file.includes(pattern)));
  return stages.map((stage) => ({ stage, files: matching }));
}

/** All files of a run, by their names in the results. */
export const namesOf = (selected: readonly StageFiles[]): string[] =>
  selected.flatMap(({ stage, files }) => files.map((file) => nameIn(stage, file)));

const isLong = (file: string): boolean => file.endsWith(".long.test.js");

function elsewhere(all: readonly string[], pattern: string, options: RunOptions): string {
  if (!all.some((file) => file.includes(pattern))) return "";
  return options.isLong ? "; without --long one does" : "; with --long one does";
}

function isOfStage(file: string, stage: Stage, { isAgain }: RunOptions): boolean {
  switch (stage.kind) {
    case "long":
      return true;
    case "two nodes":
      return startsWithOneOf(file, OF_TWO_NODES);
    case "PostgreSQL":
      if (stage.major !== OLDEST_MAJOR) return startsWithOneOf(file, OF_EACH_POSTGRES);
      return startsWithOneOf(file, OF_POSTGRES) || (isAgain && isQuick(file));
    case "installed":
      return isOfInstalled(file);
    case "changed":
      return !isOfInstalled(file);
    case "processes":
      return !isOfInstalled(file) && !startsWithOneOf(file, QUICK);
    case "quick":
      return isQuick(file);
  }
}

const isQuick = (file: string): boolean => !isOfInstalled(file) && startsWithOneOf(file, QUICK);

function startsWithOneOf(file: string, parts: readonly string[]): boolean {
  return parts.some((part) => file.startsWith(part));
}
