/**
 * The inputs of the simulation: figures of this service, of machines and of merchants. docs/scale.md has the same
 * table.
 */
export interface Input {
  value: number;
  unit: string;
  source: "measured" | "assumed";
  /** Where the value was measured, or why it is assumed. */
  from: string;
}

const INPUT_ROWS = {
  serverUs: row(
    47.4,
    "µs of CPU a decision",
    "measured",
    "BENCHMARKS.md, row (b), sustained into PostgreSQL",
  ),
  postgresUs: row(11.2, "µs of CPU a decision", "measured", "BENCHMARKS.md, row (b)"),
  drainPostgresUs: row(7.6, "µs of PostgreSQL a row, batches of 4000", "measured", "performance log, 0023"),
  drainWriterUs: row(3.1, "µs of the writer thread a row", "measured", "performance log, 0024"),
  drainRows: row(4000, "rows a draining transaction", "measured", "performance log, 0023"),
  journalBytes: row(
    2100,
    "bytes of the journal a decision",
    "measured",
    "4,000 decisions beside a frozen PostgreSQL",
  ),
  storedBytes: row(594, "bytes of PostgreSQL a decision", "measured", "performance log, 0024"),
  deliveredJournalBytes: row(8 * 2 ** 30, "bytes a node", "measured", "JOURNAL_MAX_BYTES as delivered"),
  nodeCores: row(2, "cores a node", "assumed", "the size that was measured"),
  journalBytesMax: row(
    100 * 2 ** 30,
    "bytes a node",
    "assumed",
    "JOURNAL_MAX_BYTES, set for an hour's outage",
  ),
  nodesPerCell: row(10, "nodes a cell", "assumed", "one PostgreSQL carries them"),
  postgresCores: row(16, "cores of a cell's PostgreSQL", "assumed", "a common size"),
  load: row(
    0.25,
    "of a node's cores in the peak hour",
    "assumed",
    "room for bursts, and for what one PostgreSQL's disks write",
  ),
  peakOverMean: row(2.5, "peak hour over the day's mean", "assumed", "shops sell by day"),
  workspaces: row(100_000, "workspaces", "assumed", "as the bench of many tenants has them"),
  coreHourUsd: row(0.04, "USD a core and hour", "assumed", "a list price of 2026, rounded"),
  gigabyteMonthUsd: row(0.12, "USD a GB and month", "assumed", "a list price of 2026, rounded"),
  retentionDays: row(400, "days", "assumed", "the default of RETENTION_DAYS"),
} as const satisfies Record<string, Input>;

export const INPUTS: Readonly<Record<keyof typeof INPUT_ROWS, Input>> = INPUT_ROWS;

export type Scale = Readonly<Record<keyof typeof INPUT_ROWS, number>>;

/** The inputs as plain numbers. */
export const SCALE = Object.fromEntries(
  Object.entries(INPUTS).map(([name, { value }]) => [name, value]),
) as Scale;

function row(value: number, unit: string, source: Input["source"], from: string): Input {
  return { value, unit, source, from };
}

/** Decisions a second that keep all cores of one node busy. */
export const nodeCapacity = (scale: Scale): number => (scale.nodeCores * 1e6) / scale.serverUs;

/** Decisions a second of a mean cell in the peak hour. */
export const meanCellRate = (scale: Scale): number => scale.nodesPerCell * nodeCapacity(scale) * scale.load;
