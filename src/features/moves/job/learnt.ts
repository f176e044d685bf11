import type { Ends } from "./rows.js";

/** The key of an attempt has 16 bytes, and so has the id of its decision (migrations/0013_order_attempts.sql). */
const KEY_BYTES = 16;
const ENTRY_BYTES = 32;

/** Copies what recent outcomes say about providers, so that the nodes of the new cell learn from it too. */
export async function carryEvidence({ source, target, workspaceId }: Ends): Promise<void> {
  const { rows } = await source.query<{ evidence: string | null }>(
    `select json_agg(e)::text as evidence
     from outcome_evidence o, json_array_elements(case json_typeof(o.evidence) when 'array' then o.evidence else '[]' end) e
     where (e ->> 0)::uuid = $1`,
    [workspaceId],
  );
  const evidence = rows[0]?.evidence ?? null;
  if (evidence !== null)
    await target.query("insert into outcome_evidence (evidence) values ($1::json)", [evidence]);
}

/** Copies the attempts of orders. The new cell counts each attempt once, however often it is copied. */
export async function carryAttempts({ source, target, workspaceId }: Ends): Promise<void> {
  const { rows } = await source.query<{ attempts: Buffer }>("select attempts from order_attempts");
  const entries = rows.flatMap(({ attempts }) =>
    Array.from({ length: attempts.length / ENTRY_BYTES }, (_, at) =>
      attempts.subarray(at * ENTRY_BYTES, (at + 1) * ENTRY_BYTES),
    ),
  );
  const ids = entries.map((entry) => entry.subarray(KEY_BYTES).toString("hex"));
  const { rows: own } = await source.query<{ id: string }>(
    `select replace(decision_id::text, '-', '') as id from decisions
     where workspace_id = $1 and mode in (0, 1) and decision_id = any($2::uuid[])`,
    [workspaceId, ids],
  );
  const known = new Set(own.map(({ id }) => id));
  const kept = entries.filter((_, at) => known.has(ids[at] ?? ""));
  if (kept.length > 0)
    await target.query("insert into order_attempts (attempts) values ($1)", [Buffer.concat(kept)]);
}
