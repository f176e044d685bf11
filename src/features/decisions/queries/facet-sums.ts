import { idToHex } from "../../../domain/ids/ids.js";
import type { DecisionFilter, DecisionScope } from "../../../domain/vocabulary/decision-scope.js";
import { FACET_COLUMNS, type FacetColumn } from "../../../domain/vocabulary/facets.js";
import { MODES, PAYMENT_METHODS } from "../../../domain/vocabulary/vocabulary.js";
import { eachCount } from "../../../path/writer/copy/facet-block.js";
import { FACET_FAMILY_NAMES, FAMILY_OF, type FacetFamily } from "../../../path/writer/copy/facet-counters.js";
import { eachDelta, type FacetDelta } from "../../../path/writer/copy/facet-deltas.js";
import { LEVELS, type Level, type PeriodRun } from "../../../path/writer/copy/facet-periods.js";
import { networkText } from "./decision-conditions.js";
import { IS_ERASED } from "./rollup-rows.js";
import { prepared } from "../../../platform/postgres/prepared.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";

/** The facets that a filter selects, group by group. */
export interface FacetGroups {
  /** Each group's values, as the table `facets` has them. */
  keys: string[][];
  /** The group of each facet, by its id. It is -1 if the filter does not select the facet. */
  groupOf: Int32Array;
}

/**
 * The values that a filter compares, in the order of FACET_COLUMNS, as `facets` writes them. Null matches every value.
 */
export function facetValues(scope: DecisionScope, filter: DecisionFilter): (string | null)[] {
  const { currency, country, paymentMethod, cardNetwork, provider } = filter;
  return [
    scope.merchantScope,
    currency,
    country,
    paymentMethod === null ? null : String(PAYMENT_METHODS.indexOf(paymentMethod)),
    networkText(cardNetwork),
    provider,
  ];
}

/** The decisions to count, and the columns that group them. */
export interface FacetSelection {
  scope: DecisionScope;
  filter: DecisionFilter;
  columns: readonly FacetColumn[];
}

/**
 * Finds the facets that a filter selects, grouped by `columns`. Without columns, all selected facets form one group, if
 * any is selected.
 *
 * @param isListed leaves out the facets of erased merchants, whose decisions are in no list
 */
export async function loadFacetGroups(
  client: TenantConnection,
  { scope, filter, columns }: FacetSelection,
  isListed = false,
): Promise<FacetGroups> {
  // All filters share one text, because a connection caches the plan of each text.
  const conditions = FACET_COLUMNS.map((column, at) => {
    const text = `($2::text[])[${at + 1}]`;
    return ` and (${text} is null or ${column}::text = ${text})`;
  });
  const key = `array[${columns.map((column) => `${column}::text`).join(", ")}]::text[]`;
  const { rows } = await client.query<{ key: string[]; ids: string; highest: number }>(
    prepared(
      `select ${key} as key, string_agg(facet_id::text, ',') as ids, max(facet_id) as highest
       from facets where workspace_id = $1${conditions.join("")} and not ($3::boolean and ${IS_ERASED})
       group by ${key}`,
      [idToHex(scope.workspaceId), facetValues(scope, filter), isListed],
    ),
  );
  const groupOf = new Int32Array(rows.reduce((highest, row) => Math.max(highest, row.highest + 1), 0)).fill(
    -1,
  );
  for (const [group, { ids }] of rows.entries()) for (const id of ids.split(",")) groupOf[Number(id)] = group;
  return { keys: rows.map((row) => row.key), groupOf };
}

/** A selection with its groups. `keys` grows when decisions that are not folded yet form a new group. */
export class GroupedFacets {
  /** Each group's values, in the order of the columns. A missing value is '', or -1 for a card network. */
  readonly keys: string[][];
  readonly #groups = new Map<string, number>();

  constructor(
    readonly selection: FacetSelection,
    readonly folded: FacetGroups,
  ) {
    this.keys = folded.keys;
    for (const [group, key] of this.keys.entries()) this.#groups.set(key.join(","), group);
  }

  groupOf(key: string[]): number {
    const text = key.join(",");
    let group = this.#groups.get(text);
    if (group === undefined) {
      group = this.keys.push(key) - 1;
      this.#groups.set(text, group);
    }
    return group;
  }
}

export async function loadGroupedFacets(
  client: TenantConnection,
  selection: FacetSelection,
): Promise<GroupedFacets> {
  return new GroupedFacets(selection, await loadFacetGroups(client, selection));
}

export interface CountedPeriod {
  level: Level;
  /** The number of the period, as in the table facet_blocks. */
  period: number;
}

export interface BlockQuery {
  scope: DecisionScope;
  groups: FacetGroups;
  /** Positions in FACET_COUNTERS. */
  counters: readonly number[];
}

export type VisitGroupCount = (group: number, counter: number, count: number) => void;

/**
 * Visits each count of a selected facet in the facet blocks of `runs`, in no order. `visitorOf` is called once for each
 * block, with the position of its run.
 */
export async function eachBlockCount(
  client: TenantConnection,
  { scope, groups: { groupOf }, counters }: BlockQuery,
  runs: readonly PeriodRun[],
  visitorOf: (period: CountedPeriod, run: number) => VisitGroupCount,
): Promise<void> {
  if (groupOf.length === 0 || runs.length === 0) return;
  const families = familiesOf(counters);
  const { rows } = await client.query<
    { run: string; level: number; period: number } & Record<FacetFamily, Buffer>
  >(
    prepared(
      `select run.position as run, b.level, b.period, ${families.map((family) => `b.${family}`).join(", ")}
       from unnest($3::smallint[], $4::integer[], $5::integer[]) with ordinality as run (level, first, past, position)
       join facet_blocks b on b.workspace_id = $1 and b.mode = $2 and b.level = run.level
         and b.period >= run.first and b.period < run.past`,
      [
        idToHex(scope.workspaceId),
        MODES.indexOf(scope.mode),
        runs.map(({ level }) => LEVELS.indexOf(level)),
        runs.map(({ first }) => first),
        runs.map(({ end }) => end),
      ],
    ),
  );
  const isWanted = flagsOf(counters);
  for (const row of rows) {
    const visit = visitorOf({ level: LEVELS[row.level] as Level, period: row.period }, Number(row.run) - 1);
    for (const family of families) {
      eachCount(row[family], (counter, facetId, count) => {
        if (isWanted[counter] !== 1 || facetId >= groupOf.length) return;
        const group = groupOf[facetId] as number;
        if (group >= 0) visit(group, counter, count);
      });
    }
  }
}

/**
 * Calls `visit` for each selected delta that is not folded yet, from `firstHour` up to but not including `endHour`.
 * `key` has the values of `columns`.
 */
export async function eachPendingCount(
  client: TenantConnection,
  selected: FacetSelection,
  [firstHour, endHour]: readonly [number, number],
  visit: (hour: number, key: string[], counter: number, number: number) => void,
): Promise<void> {
  const { scope, filter, columns } = selected;
  const { rows } = await client.query<FacetDelta & { hour: number }>({
    name: "load_facet_deltas",
    text: `select hour, decided, followed from facet_deltas
           where workspace_id = $1 and mode = $2 and hour >= $3 and hour < $4`,
    values: [idToHex(scope.workspaceId), MODES.indexOf(scope.mode), firstHour, endHour],
  });
  const wanted = facetValues(scope, filter);
  const places = columns.map((column) => FACET_COLUMNS.indexOf(column));
  /** The key of each facet, or null if the filter does not select it. */
  const keys = new Map<string, string[] | null>();
  for (const row of rows) {
    eachDelta(row, (facet, counter, number) => {
      let key = keys.get(facet);
      if (key === undefined) {
        const values = storedValues(facet);
        const isSelected = wanted.every((value, at) => value === null || value === values[at]);
        key = isSelected ? places.map((at) => values[at] as string) : null;
        keys.set(facet, key);
      }
      if (key !== null) visit(row.hour, key, counter, number);
    });
  }
}

const CARD_NETWORK_AT = FACET_COLUMNS.indexOf("card_network");

/** A facet's values as the table `facets` has them: a missing card network is -1. */
function storedValues(facet: string): string[] {
  const values = facet.split(",");
  if (values[CARD_NETWORK_AT] === "") values[CARD_NETWORK_AT] = "-1";
  return values;
}

function familiesOf(counters: readonly number[]): FacetFamily[] {
  return FACET_FAMILY_NAMES.filter((family) => counters.some((counter) => FAMILY_OF[counter] === family));
}

export function flagsOf(counters: readonly number[]): Uint8Array {
  const flags = new Uint8Array(FAMILY_OF.length);
  for (const counter of counters) flags[counter] = 1;
  return flags;
}
