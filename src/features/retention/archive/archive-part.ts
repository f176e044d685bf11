import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ClientBase, Pool } from "pg";
import { NO_REST, type Pace } from "../../../platform/timing/pace.js";
import { createFile, syncFolder, type CreateFile } from "./archive-disk.js";
import {
  ArchiveError,
  PART_NAME,
  partName,
  readManifest,
  writeManifest,
  type ArchivedTable,
  type Manifest,
} from "./manifest.js";
import { assertReadsBack } from "./read-back.js";
import { mendSwaps, swapPart } from "./swap-part.js";
import { writeTable, type LeavingRows } from "./table-file.js";

/** The rows that are archived and removed together. */
export interface PartJob {
  /** `2026_11_23` */
  week: string;
  /** Null means the whole week. */
  workspaceIds: readonly string[] | null;
  tables: readonly LeavingRows[];
}

/** An archived part. Its rows may be removed, unless somebody has written to them since. */
export interface StoredPart {
  part: number;
  rows: number;
  bytes: number;
  /** The oldest transaction whose rows the part may have missed. */
  seenFrom: string;
}

/** Archives rows. Resolves once they may be removed. */
export type StorePart = (job: PartJob) => Promise<StoredPart>;

export interface ArchiveOptions {
  create?: CreateFile;
  pace?: Pace;
}

/**
 * RET-11: writes a part beside its final place, reads it back, and then moves it there as a whole. If that place
 * already has a part that was never noted, an interrupted run wrote it, and it is replaced. If the promise rejects,
 * no new part is in place.
 */
export async function archivePart(
  pool: Pick<Pool, "connect">,
  root: string,
  job: PartJob,
  { create = createFile, pace = NO_REST }: ArchiveOptions = {},
): Promise<StoredPart> {
  const week = join(root, job.week);
  // The archive's own folder is never created here. If its disk is not mounted, the part must not land on another
  // disk.
  await mkdir(week).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await syncFolder(root);
  const { manifest, seenFrom, dir } = await withClient(pool, (client) =>
    writePart(client, week, job, { create, pace }),
  );
  for (const table of manifest.tables) await assertReadsBack(dir, table, pace);
  const place = join(week, partName(manifest.part));
  await swapPart(dir, place);
  const total = (of: "rows" | "bytes"): number => manifest.tables.reduce((sum, table) => sum + table[of], 0);
  return { part: manifest.part, rows: total("rows"), bytes: total("bytes"), seenFrom };
}

async function withClient<T>(
  pool: Pick<Pool, "connect">,
  work: (client: ClientBase) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let isReusable = false;
  try {
    const result = await work(client);
    isReusable = true;
    return result;
  } finally {
    client.release(!isReusable);
  }
}

interface Written {
  manifest: Manifest;
  dir: string;
  seenFrom: string;
}

async function writePart(
  client: ClientBase,
  week: string,
  job: PartJob,
  options: Required<ArchiveOptions>,
): Promise<Written> {
  const { archiveId, part, schemaVersion, seenFrom } = await readMarks(client, job.week);
  await mendSwaps(week);
  await assertOwn(week, archiveId);
  const dir = join(week, `${partName(part)}.new`);
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { mode: 0o700 });
  const tables: ArchivedTable[] = [];
  for (const leaving of job.tables) tables.push(await writeTable(client, dir, leaving, options));
  const manifest: Manifest = {
    format: 1,
    archive_id: archiveId,
    week: job.week,
    part,
    workspace_ids: job.workspaceIds,
    schema_version: schemaVersion,
    tables,
  };
  await writeManifest(dir, manifest, options.create);
  await syncFolder(dir);
  return { manifest, dir, seenFrom };
}

async function readMarks(client: ClientBase, week: string) {
  const { rows } = await client.query<{
    archive_id: string;
    part: number;
    schema_version: number;
    seen_from: string;
  }>(
    `select archive_id, (select coalesce(max(part), 0) + 1 from archived_parts where week = $1) as part,
       (select max(id) from migrations) as schema_version,
       pg_snapshot_xmin(pg_current_snapshot())::text as seen_from
     from archive_identity`,
    [week],
  );
  const [row] = rows;
  if (row === undefined) throw new ArchiveError("archive_identity is empty");
  return {
    archiveId: row.archive_id,
    part: row.part,
    schemaVersion: row.schema_version,
    seenFrom: row.seen_from,
  };
}

/**
 * RET-13: refuses a folder with parts of another database. They could not be restored from this database, so they are
 * never replaced.
 */
async function assertOwn(week: string, archiveId: string): Promise<void> {
  for (const name of await readdir(week)) {
    if (!PART_NAME.test(name)) continue;
    const manifest = await readManifest(join(week, name));
    if (manifest?.archive_id === archiveId) continue;
    throw new ArchiveError(`${name} belongs to another database: each needs an ARCHIVE_URL of its own`);
  }
}
