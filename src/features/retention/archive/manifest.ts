import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CreateFile } from "./archive-disk.js";

/** The file of one table in a part. */
export interface ArchivedTable {
  table: string;
  file: string;
  rows: number;
  bytes: number;
  /** The SHA-256 of the file. */
  sha256: string;
  /** The SHA-256 of the rows' values, as row-hash.ts computes it. */
  rows_sha256: string;
  /** The times of the first and the last decision. Null without rows. */
  min_time: string | null;
  max_time: string | null;
}

/** RET-11: `manifest.json` of a part. */
export interface Manifest {
  format: 1;
  /** The identity of the database that the rows come from (`archive_identity`). */
  archive_id: string;
  /** `2026_11_23` */
  week: string;
  part: number;
  /** Null if the part has the whole week. */
  workspace_ids: readonly string[] | null;
  /** The last migration that the database had. It tells how the tables looked. */
  schema_version: number;
  tables: readonly ArchivedTable[];
}

export const MANIFEST = "manifest.json";
/** The names of folders below ARCHIVE_URL. */
export const WEEK_NAME = /^\d{4}_\d{2}_\d{2}$/;
export const PART_NAME = /^part-[1-9]\d*$/;
export const partName = (part: number): string => `part-${part}`;

/** Returns null if there is no part. Rejects if the file is not a manifest. */
export async function readManifest(partDir: string): Promise<Manifest | null> {
  let text: string;
  try {
    text = await readFile(join(partDir, MANIFEST), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.format !== 1 || !Array.isArray(manifest.tables))
    throw new ArchiveError("no manifest of an archive");
  return manifest;
}

/** Resolves once the manifest is on disk. */
export async function writeManifest(dir: string, manifest: Manifest, create: CreateFile): Promise<void> {
  const file = await create(join(dir, MANIFEST));
  try {
    await file.write(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The archive has a fault. The message names only the service's own tables and files, and no submitted value. */
export class ArchiveError extends Error {
  override name = "ArchiveError";
}
