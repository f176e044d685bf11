import type { Pool } from "pg";

/**
 * Identifies the database and its history. The identity changes at a fail-over or a restore, because transactions that
 * a node has read may be missing afterwards. If the user may not read the server's identity, only the table's identity
 * is used.
 */
export async function readDatabaseSource(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ source: string; asks: boolean }>(
    `select d.oid || '/' || 'changes'::regclass::oid as source,
            has_function_privilege('pg_control_system()', 'execute')
              and has_function_privilege('pg_control_checkpoint()', 'execute') as asks
     from pg_database d where d.datname = current_database()`,
  );
  const { source, asks } = rows[0] as { source: string; asks: boolean };
  if (!asks) return source;
  const history = await pool.query<{ name: string }>(
    `select system_identifier || '/' || timeline_id as name from pg_control_system(), pg_control_checkpoint()`,
  );
  return `${history.rows[0]?.name}/${source}`;
}
