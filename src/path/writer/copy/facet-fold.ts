import type { ClientBase } from "pg";
import { addToBlock } from "./facet-block.js";
import { FACET_FAMILY_NAMES, FAMILY_OF, type FacetFamily } from "./facet-counters.js";
import { eachDelta, type FacetDelta } from "./facet-deltas.js";
import { facetKey, type FacetIds, type WantedFacet } from "./facet-ids.js";
import { LEVELS, periodsOf, type Period } from "./facet-periods.js";

/**
 * The most rows of facet_deltas in one transaction. They take at most 100 MB, even if each has a whole batch's
 * outcomes.
 */
const ROWS_MAX = 500;

interface DeltaRow extends FacetDelta {
  workspace_id: string;
  mode: number;
  hour: number;
}

/** The numbers to add to the counts of one workspace, mode and period: by family, counter and facet id. */
interface Addition {
  workspaceId: string;
  mode: number;
  period: Period;
  numbers: Record<FacetFamily, Map<number, Map<number, number>>>;
}

type Blocks = Record<FacetFamily, Buffer>;

const EMPTY: Blocks = { decided: Buffer.alloc(0), unresolved: Buffer.alloc(0), outcomes: Buffer.alloc(0) };

/**
 * LOG-21: adds the deltas to the facet blocks and removes them. Only one fold runs at a time over all nodes. A second
 * one ends at once.
 */
export async function foldFacets(client: ClientBase, ids: FacetIds): Promise<void> {
  for (let folded = ROWS_MAX; folded === ROWS_MAX;) {
    await client.query("begin");
    try {
      folded = await foldRows(client, ids);
    } catch (error) {
      await client.query("rollback");
      throw error;
    }
  }
}

/** Folds some rows and commits. Returns their number. 0 if none is left, or if another fold runs. */
async function foldRows(client: ClientBase, facetIds: FacetIds): Promise<number> {
  const { rows: lock } = await client.query<{ taken: boolean }>(
    "select pg_try_advisory_xact_lock(hashtextextended('fold_facets', 0)) as taken",
  );
  const rows = lock[0]?.taken === true ? await takeDeltas(client) : [];
  if (rows.length > 0) {
    const { changes, facets } = readDeltas(rows);
    const ids = await facetIds.find(client, facets);
    const additions = additionsOf(
      changes,
      facets.map((facet) => ids.get(facetKey(facet)) as number),
    );
    await storeBlocks(client, additions, await loadBlocks(client, additions));
    await client.query("commit");
    facetIds.remember(ids);
  } else await client.query("commit");
  return rows.length;
}

async function takeDeltas(client: ClientBase): Promise<DeltaRow[]> {
  const { rows } = await client.query<DeltaRow>({
    name: "take_facet_deltas",
    text: `delete from facet_deltas_rows where ctid = any(array(
             select ctid from facet_deltas_rows where workspace_id <> all ((select leaving_workspaces())::uuid[]) limit $1))
           returning workspace_id, mode, hour, decided, followed`,
    values: [ROWS_MAX],
  });
  return rows;
}

/**
 * The changes of one row. Each change is three numbers in `numbers`: the facet's position in `facets`, the counter, and
 * the amount.
 */
interface Changes {
  row: DeltaRow;
  numbers: number[];
}

interface ReadDeltas {
  changes: Changes[];
  facets: WantedFacet[];
}

/** Parses each text only once, because parsing is most of the work. */
function readDeltas(rows: readonly DeltaRow[]): ReadDeltas {
  const facets: WantedFacet[] = [];
  const positions = new Map<string, Map<string, number>>();
  const changes = rows.map((row): Changes => {
    const workspaceId = row.workspace_id;
    let known = positions.get(workspaceId);
    if (known === undefined) {
      known = new Map();
      positions.set(workspaceId, known);
    }
    const numbers: number[] = [];
    eachDelta(row, (facet, counter, number) => {
      let position = known.get(facet);
      if (position === undefined) {
        position = facets.push({ workspaceId, facet }) - 1;
        known.set(facet, position);
      }
      numbers.push(position, counter, number);
    });
    return { row, numbers };
  });
  return { changes, facets };
}

function additionsOf(changes: readonly Changes[], ids: readonly number[]): Addition[] {
  const additions = new Map<string, Addition>();
  for (const { row, numbers } of changes) {
    const { workspace_id: workspaceId, mode } = row;
    const ofRow = periodsOf(row.hour).map((period) => {
      const key = `${workspaceId} ${mode} ${period.level} ${period.number}`;
      let addition = additions.get(key);
      if (addition === undefined) {
        addition = {
          workspaceId,
          mode,
          period,
          numbers: { decided: new Map(), unresolved: new Map(), outcomes: new Map() },
        };
        additions.set(key, addition);
      }
      return addition;
    });
    for (let at = 0; at < numbers.length; at += 3) {
      const [position, counter, number] = [numbers[at], numbers[at + 1], numbers[at + 2]] as [
        number,
        number,
        number,
      ];
      const family = FAMILY_OF[counter] as FacetFamily;
      for (const addition of ofRow) add(addition.numbers[family], counter, ids[position] as number, number);
    }
  }
  return [...additions.values()];
}

function add(
  numbers: Map<number, Map<number, number>>,
  counter: number,
  facetId: number,
  number: number,
): void {
  let ofCounter = numbers.get(counter);
  if (ofCounter === undefined) {
    ofCounter = new Map();
    numbers.set(counter, ofCounter);
  }
  ofCounter.set(facetId, (ofCounter.get(facetId) ?? 0) + number);
}

/** The values of the first four parameters, which both statements share. */
function keysOf(additions: readonly Addition[]): unknown[] {
  return [
    additions.map(({ workspaceId }) => workspaceId),
    additions.map(({ mode }) => mode),
    additions.map(({ period }) => LEVELS.indexOf(period.level)),
    additions.map(({ period }) => period.number),
  ];
}

/** Loads the stored blocks. The result is keyed by the position of the addition. */
async function loadBlocks(
  client: ClientBase,
  additions: readonly Addition[],
): Promise<ReadonlyMap<number, Blocks>> {
  const { rows } = await client.query<Blocks & { position: string }>({
    name: "load_facet_blocks",
    text: `select a.position, decided, unresolved, outcomes
           from unnest($1::uuid[], $2::smallint[], $3::smallint[], $4::integer[])
             with ordinality as a (workspace_id, mode, level, period, position)
           join facet_blocks using (workspace_id, mode, level, period)`,
    values: keysOf(additions),
  });
  return new Map(rows.map((row) => [Number(row.position) - 1, row]));
}

/**
 * Stores the blocks. Their bytes are sent as one value, because PostgreSQL would read an array of them digit by digit.
 */
async function storeBlocks(
  client: ClientBase,
  additions: readonly Addition[],
  before: ReadonlyMap<number, Blocks>,
): Promise<void> {
  const blocks = additions.flatMap(({ numbers }, at) =>
    FACET_FAMILY_NAMES.map((family) => addToBlock((before.get(at) ?? EMPTY)[family], numbers[family])),
  );
  const lengthsOf = (family: number): number[] =>
    additions.map((_, at) => blocks[at * FACET_FAMILY_NAMES.length + family]?.length ?? 0);
  await client.query({
    name: "store_facet_blocks",
    text: `insert into facet_blocks (workspace_id, mode, level, period, decided, unresolved, outcomes)
           select workspace_id, mode, level, period,
             substr($8::bytea, first, d), substr($8, first + d, u), substr($8, first + d + u, o)
           from (
             select *, (1 + sum(d + u + o) over (order by position) - (d + u + o))::integer as first
             from unnest($1::uuid[], $2::smallint[], $3::smallint[], $4::integer[], $5::integer[], $6::integer[], $7::integer[])
               with ordinality as b (workspace_id, mode, level, period, d, u, o, position)
           ) placed
           on conflict (workspace_id, mode, level, period) do update set
             decided = excluded.decided, unresolved = excluded.unresolved, outcomes = excluded.outcomes`,
    values: [...keysOf(additions), lengthsOf(0), lengthsOf(1), lengthsOf(2), Buffer.concat(blocks)],
  });
}
