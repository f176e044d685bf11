import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createFile, syncFolder, type CreateFile } from "./archive-disk.js";
import { erasedTables, type ArchivedOwner } from "./erased-rows.js";
import {
  ArchiveError,
  PART_NAME,
  readManifest,
  WEEK_NAME,
  writeManifest,
  type Manifest,
} from "./manifest.js";
import { assertReadsBack } from "./read-back.js";
import { mendSwaps, swapPart } from "./swap-part.js";

/** A part after the erasure. */
export interface ArchivedPart {
  week: string;
  part: number;
  rows: number;
  bytes: number;
}

export interface ArchiveErasure {
  root: string;
  /** The identity of the database that the archive belongs to. */
  archiveId: string;
  owner: ArchivedOwner;
  /** Called for each part once it has no rows of the owner. */
  onPart(part: ArchivedPart): Promise<void>;
  create?: CreateFile;
}

/**
 * RET-24: rewrites every part that has rows of the owner, without these rows. The new part is written beside the old
 * one, synced and read back, and then replaces it as a whole. A repeated call continues where an interrupted one
 * stopped.
 */
export async function eraseArchive(erasure: ArchiveErasure): Promise<void> {
  const { root, onPart } = erasure;
  for (const week of (await readdir(root)).filter((name) => WEEK_NAME.test(name)).toSorted()) {
    const dir = join(root, week);
    await mendSwaps(dir);
    for (const name of (await readdir(dir)).filter((given) => PART_NAME.test(given)).toSorted()) {
      await onPart(await erasePart(join(dir, name), erasure));
    }
  }
}

async function erasePart(
  place: string,
  { archiveId, owner, create = createFile }: ArchiveErasure,
): Promise<ArchivedPart> {
  const manifest = await readManifest(place);
  if (manifest?.archive_id !== archiveId)
    throw new ArchiveError("a part belongs to another database: each needs an ARCHIVE_URL of its own");
  const tables = await erasedTables(place, manifest, owner);
  if (tables === null) return partOf(manifest);
  const dir = `${place}.new`;
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { mode: 0o700 });
  const written = [];
  for (const write of tables) written.push(await write(dir, create));
  const next: Manifest = { ...manifest, workspace_ids: ownersLeft(manifest, owner), tables: written };
  await writeManifest(dir, next, create);
  await syncFolder(dir);
  for (const table of written) await assertReadsBack(dir, table);
  await swapPart(dir, place);
  return partOf(next);
}

function ownersLeft({ workspace_ids }: Manifest, owner: ArchivedOwner): readonly string[] | null {
  if (workspace_ids === null || owner.merchantId !== null) return workspace_ids;
  return workspace_ids.filter((id) => id !== owner.workspaceId);
}

function partOf({ week, part, tables }: Manifest): ArchivedPart {
  const total = (of: "rows" | "bytes"): number => tables.reduce((sum, table) => sum + table[of], 0);
  return { week, part, rows: total("rows"), bytes: total("bytes") };
}
