import type { ClientBase } from "pg";

/** The ids of facets that this node has seen. A committed id never changes. */
export interface FacetIds {
  /**
   * Returns the ids of facets by `facetKey`, and assigns ids to new facets. The ids are valid when the transaction is
   * committed. Call `remember` then. Only one fold may run at a time over all nodes.
   */
  find(client: ClientBase, wanted: readonly WantedFacet[]): Promise<ReadonlyMap<string, number>>;
  remember(ids: ReadonlyMap<string, number>): void;
}

export interface WantedFacet {
  /** The UUID in PostgreSQL's form. */
  workspaceId: string;
  /** The six fields of a facet as in facet_deltas. */
  facet: string;
}

/** About 20 MB, as a facet takes about 200 bytes. */
const REMEMBERED_MAX = 100_000;

export function facetKey({ workspaceId, facet }: WantedFacet): string {
  return `${workspaceId},${facet}`;
}

/**
 * Remembers ids in two generations. The older generation is dropped as a whole, which bounds the memory without
 * bookkeeping for each use.
 */
export function createFacetIds(rememberedMax: number = REMEMBERED_MAX): FacetIds {
  let young = new Map<string, number>();
  let old: ReadonlyMap<string, number> = new Map();
  const remember = (key: string, id: number): void => {
    if (young.size >= rememberedMax / 2) {
      old = young;
      young = new Map();
    }
    young.set(key, id);
  };
  return {
    async find(client, wanted) {
      const found = new Map<string, number>();
      const unknown: WantedFacet[] = [];
      for (const facet of wanted) {
        const key = facetKey(facet);
        const id = young.get(key) ?? old.get(key);
        if (id === undefined) unknown.push(facet);
        else found.set(key, id);
      }
      if (unknown.length > 0) {
        for (const [key, id] of await storeFacets(client, unknown)) found.set(key, id);
      }
      return found;
    },
    remember(ids) {
      for (const [key, id] of ids) if (!young.has(key)) remember(key, id);
    },
  };
}

async function storeFacets(client: ClientBase, facets: readonly WantedFacet[]): Promise<Map<string, number>> {
  const fields = facets.map(({ facet }) => facet.split(","));
  const column = (at: number, ifEmpty: string): string[] =>
    fields.map((values) => (values[at] === "" ? ifEmpty : (values[at] as string)));
  const { rows } = await client.query<{ position: string; facet_id: number }>({
    name: "store_facets",
    text: `with wanted as materialized (
             select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::smallint[], $6::smallint[], $7::text[])
               with ordinality as w (workspace_id, merchant_id, currency, country, payment_method, card_network, provider,
                 position)
           ), known as materialized (
             select w.*, f.facet_id from wanted w
             left join facets f using (workspace_id, merchant_id, currency, country, payment_method, card_network, provider)
           ), added as (
             insert into facets (workspace_id, facet_id, merchant_id, currency, country, payment_method, card_network, provider)
             select workspace_id,
               coalesce((select max(f.facet_id) from facets f where f.workspace_id = k.workspace_id), -1)
                 + row_number() over (partition by workspace_id order by position),
               merchant_id, currency, country, payment_method, card_network, provider
             from known k where facet_id is null
             returning *
           )
           select k.position, coalesce(k.facet_id, a.facet_id) as facet_id
           from known k left join added a
             using (workspace_id, merchant_id, currency, country, payment_method, card_network, provider)`,
    values: [
      facets.map(({ workspaceId }) => workspaceId),
      column(0, ""),
      column(1, ""),
      column(2, ""),
      column(3, "0"),
      column(4, "-1"),
      column(5, ""),
    ],
  });
  return new Map(
    rows.map(({ position, facet_id }) => [facetKey(facets[Number(position) - 1] as WantedFacet), facet_id]),
  );
}
