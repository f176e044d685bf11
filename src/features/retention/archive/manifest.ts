import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CreateFile } from "./archive-disk.js";

/** A table's file of a part. */
export interface ArchivedTable {
  table: string;
  file: string;
  rows: number;
  bytes: number;
  /** Of the file. */
  sha256: string;
  /** Over the rows' values: row-hash.ts. */
  rows_sha256: string;
  /** When the first and the last decision was made; null without rows. */
  min_time: string | null;
  max_time: string | null;
}

/** RET-11: `manifest.json` of a part. */
export interface Manifest {
  format: 1;
  /** Of the database that the rows left: archive_identity. */
  archive_id: string;
  /** `2026_11_23` */
  week: string;
  part: number;
  /** Null where the whole week left. */
  workspace_ids: readonly string[] | null;
  /** The last migration, which says how the tables looked. */
  schema_version: number;
  tables: readonly ArchivedTable[];
}

export const MANIFEST = "manifest.json";
/** Names below ARCHIVE_URL. */
export const WEEK_NAME = /^\d{4}_\d{2}_\d{2}$/;
export const PART_NAME = /^part-[1-9]\d*$/;
export const partName = (part: number): string => `part-${part}`;

/** Null where there is no part. Rejects for what is no manifest. */
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

/** Resolves once the disk has it. */
export async function writeManifest(dir: string, manifest: Manifest, create: CreateFile): Promise<void> {
  const file = await create(join(dir, MANIFEST));
  try {
    await file.write(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The archive is not what it should be. The message names tables and files of ours, and nothing that was submitted. */
export class ArchiveError extends Error {
  override name = "ArchiveError";
}
