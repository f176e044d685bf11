import { ERASURE_TUNING } from "../../../domain/vocabulary/tuning/erasures.js";
import { MODES } from "../../../domain/vocabulary/vocabulary.js";
import { blankDocuments } from "../../../path/writer/copy/decision-batch.js";
import { addCounts, inSteps, removeRows, together, type ErasureWork } from "./step.js";
import { WEEKLY_TABLES } from "../../retention/service.js";
import { weeksOf } from "./tables.js";

const NO_ID = "00000000-0000-0000-0000-000000000000";

interface DecisionPlace {
  decision_id: string;
  segment_id: string;
  doc_offset: number;
  doc_bytes: number;
}

/**
 * RET-20: removes a merchant's decisions and all rows that belong to them. The merchants of a workspace share blocks
 * of documents. A block keeps its layout: blanks overwrite the merchant's documents. A block that has only blanks is
 * removed.
 */
export async function eraseDecisions(work: ErasureWork): Promise<void> {
  for (const week of await weeksOf(work.client, "decisions")) {
    for (const mode of MODES.keys()) await eraseWeek(work, week.slice("decisions".length), mode);
  }
  await removeOrphans(work);
}

/**
 * `week` is the suffix of the partitions' names. The partitions are addressed by name, because retention may have
 * detached them.
 */
async function eraseWeek(work: ErasureWork, week: string, mode: number): Promise<void> {
  const { client, workspaceId, merchantId } = work;
  let after = NO_ID;
  await inSteps(work, async () => {
    const { rows } = await client.query<DecisionPlace>(
      `select decision_id, segment_id, doc_offset, doc_bytes from decisions${week}
       where workspace_id = $1 and mode = $2 and merchant_id = $3 and decision_id > $4
       order by decision_id limit ${ERASURE_TUNING.decisionsMax}`,
      [workspaceId, mode, merchantId, after],
    );
    const last = rows.at(-1);
    if (last === undefined) return false;
    await together(client, () => eraseFound(work, { week, mode }, rows));
    after = last.decision_id;
    return true;
  });
}

/** The tables whose rows belong to a decision. The decision's own table is last. */
const OF_DECISION = ["reviews", "retried_decisions", "outcomes", "unmatched_outcomes", "decisions"] as const;

async function eraseFound(
  { client, erasureId, workspaceId }: ErasureWork,
  { week, mode }: { week: string; mode: number },
  found: readonly DecisionPlace[],
): Promise<void> {
  const placeOf = (table: string): string =>
    WEEKLY_TABLES.some((weekly) => weekly === table) ? `${table}${week}` : table;
  const counts: Record<string, number> = {
    decision_segments: await blankInSegments({ client, workspaceId }, placeOf("decision_segments"), found),
  };
  const ids = found.map(({ decision_id }) => decision_id);
  for (const table of OF_DECISION) {
    const { rowCount } = await client.query(
      `delete from ${placeOf(table)} where workspace_id = $1 and mode = $2 and decision_id = any($3::uuid[])`,
      [workspaceId, mode, ids],
    );
    counts[table] = rowCount ?? 0;
  }
  await addCounts(client, erasureId, counts);
}

/** `segments` is the name of the partition. Resolves to the number of removed blocks. */
async function blankInSegments(
  { client, workspaceId }: Pick<ErasureWork, "client" | "workspaceId">,
  segments: string,
  found: readonly DecisionPlace[],
): Promise<number> {
  const bySegment = new Map<string, DecisionPlace[]>();
  for (const place of found) {
    const places = bySegment.get(place.segment_id);
    if (places === undefined) bySegment.set(place.segment_id, [place]);
    else places.push(place);
  }
  const segmentIds = [...bySegment.keys()];
  let left = 0;
  for (let at = 0; at < segmentIds.length; at += ERASURE_TUNING.segmentsMax) {
    const { rows } = await client.query<{ segment_id: string; docs: Buffer }>(
      `select segment_id, docs from ${segments} where workspace_id = $1 and segment_id = any($2::uuid[])`,
      [workspaceId, segmentIds.slice(at, at + ERASURE_TUNING.segmentsMax)],
    );
    for (const { segment_id, docs } of rows) {
      const places = bySegment.get(segment_id) ?? [];
      const blanked = blankDocuments(
        docs,
        places.map(({ doc_offset, doc_bytes }) => [doc_offset, doc_bytes]),
      );
      const key = [workspaceId, segment_id];
      const where = "where workspace_id = $1 and segment_id = $2";
      if (blanked === null) {
        await client.query(`delete from ${segments} ${where}`, key);
        left++;
      } else {
        await client.query(`update ${segments} set docs = $3 ${where}`, [...key, blanked]);
      }
    }
  }
  return left;
}

/**
 * Removes outcomes that were stored while their decisions were being removed. At other times no outcome is stored
 * without its decision.
 */
async function removeOrphans(work: ErasureWork): Promise<void> {
  for (const week of await weeksOf(work.client, "outcomes")) {
    const decisions = week.replace(/^outcomes/, "decisions");
    await removeRows(work, {
      table: "outcomes",
      from: week,
      where: `workspace_id = $1 and mode in (0, 1)
        and reported_at > (select requested_at - interval '1 day' from erasures where erasure_id = $2)
        and not exists (select from ${decisions} d where d.workspace_id = ${week}.workspace_id
          and d.mode = ${week}.mode and d.decision_id = ${week}.decision_id)`,
      values: [work.workspaceId, work.erasureId],
    });
  }
}
