import type { RunOptions } from "./options.js";

/** These need a browser, a Valkey or Redis, or an edge proxy, which a machine may not have. */
const INSTALLED = [
  "browser/",
  "nodes/",
  "attacks/edge-",
  "faults/cache/cache-outage.",
  "service/docs/docs-page.",
  "service/postgres/postgres-refused.",
];
/** `npm test`: rules by themselves, and the service's behaviour. */
const QUICK = ["unit/", "service/"];
/**
 * What writes and reads PostgreSQL: the writer, outcomes, the log and its figures, and all that is administered. Faults,
 * replays and backtests send the same statements.
 */
const OF_POSTGRES = [
  "service/account",
  "service/alerts/alert-sync.",
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
/** What is the same however many nodes there are: decisions, outcomes, policies and provider health. */
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

/** Of each of these lists, every entry is the beginning of a file's path under dist/test/. */
export const LISTS = { INSTALLED, QUICK, OF_POSTGRES, OF_TWO_NODES };

export const isOfInstalled = (file: string): boolean => startsWithOneOf(file, INSTALLED);

/** Of all test files, those that a run is for, in order; or one line for each pattern that selects none. */
export function selectFiles(all: readonly string[], options: RunOptions): string[] | { faults: string[] } {
  const ofKind = all.filter((file) => isLong(file) === options.isLong).toSorted();
  const { patterns } = options;
  if (patterns.length === 0) return ofKind.filter((file) => isOfRun(file, options));
  const faults = patterns
    .filter((pattern) => !ofKind.some((file) => file.includes(pattern)))
    .map((pattern) => `no test file matches ${pattern}${elsewhere(all, pattern, options)}`);
  if (faults.length > 0) return { faults };
  return ofKind.filter((file) => patterns.some((pattern) => file.includes(pattern)));
}

const isLong = (file: string): boolean => file.endsWith(".long.test.js");

function elsewhere(all: readonly string[], pattern: string, options: RunOptions): string {
  if (!all.some((file) => file.includes(pattern))) return "";
  return options.isLong ? "; without --long one does" : "; with --long one does";
}

function isOfRun(file: string, options: RunOptions): boolean {
  if (options.isLong) return true;
  if (options.isTwoNodes) return startsWithOneOf(file, OF_TWO_NODES);
  if (options.major !== undefined) return startsWithOneOf(file, OF_POSTGRES);
  if (options.isInstalled || isOfInstalled(file)) return options.isInstalled && isOfInstalled(file);
  return options.isChanged || startsWithOneOf(file, QUICK) !== options.isProcesses;
}

function startsWithOneOf(file: string, parts: readonly string[]): boolean {
  return parts.some((part) => file.startsWith(part));
}
