import { join } from "node:path";
import { idToUuid } from "../../../domain/ids/ids.js";
import { blankDocuments } from "../../../path/writer/copy/decision-batch.js";
import type { CreateFile } from "./archive-disk.js";
import { ArchiveError, type ArchivedTable, type Manifest } from "./manifest.js";
import { readColumns, readRows } from "./read-back.js";
import type { ArchivedValue } from "./row-hash.js";
import { writeRows } from "./table-file.js";

export interface ArchivedOwner {
  /** `ws_…` */
  workspaceId: string;
  /** Null means the whole workspace. */
  merchantId: string | null;
}

type WriteTable = (dir: string, create: CreateFile) => Promise<ArchivedTable>;
type Row = ArchivedValue[];

/** A table's file with the positions of its columns. */
interface ArchivedFile {
  table: ArchivedTable;
  columns: Awaited<ReturnType<typeof readColumns>>;
  at(column: string): number;
  rows(): AsyncGenerator<Row>;
}

/**
 * Returns a function for each table of a part that writes it without the owner's rows. Null if the part has no such
 * rows.
 */
export async function erasedTables(
  partDir: string,
  manifest: Manifest,
  owner: ArchivedOwner,
): Promise<WriteTable[] | null> {
  if (manifest.workspace_ids?.includes(owner.workspaceId) === false) return null;
  const files = await Promise.all(manifest.tables.map((table) => openFile(partDir, table)));
  const { merchantId } = owner;
  return merchantId === null
    ? withoutWorkspace(files, idToUuid(owner.workspaceId))
    : withoutMerchant(files, idToUuid(owner.workspaceId), merchantId);
}

async function openFile(partDir: string, table: ArchivedTable): Promise<ArchivedFile> {
  const path = join(partDir, table.file);
  const columns = await readColumns(path);
  return {
    table,
    columns,
    at(column) {
      const found = columns.findIndex(({ name }) => name === column);
      if (found === -1) throw new ArchiveError(`${table.file} has no ${column}`);
      return found;
    },
    rows: () => readRows(path),
  };
}

function writer(file: ArchivedFile, rows: () => AsyncIterable<Row>): WriteTable {
  const { columns, table } = file;
  const idColumn = table.table === "decision_segments" ? "segment_id" : "decision_id";
  return (dir, create) => writeRows(dir, { table: table.table, idColumn, columns }, rows(), create);
}

async function withoutWorkspace(
  files: readonly ArchivedFile[],
  workspace: string,
): Promise<WriteTable[] | null> {
  let isThere = false;
  for (const file of files) {
    const at = file.at("workspace_id");
    for await (const row of file.rows()) {
      if (row[at] !== workspace) continue;
      isThere = true;
      break;
    }
  }
  if (!isThere) return null;
  return files.map((file) => {
    const at = file.at("workspace_id");
    return writer(file, () => filtered(file, (row) => row[at] !== workspace));
  });
}

async function* filtered(
  file: ArchivedFile,
  isKept: (row: Row) => boolean | Promise<boolean>,
): AsyncGenerator<Row> {
  for await (const row of file.rows()) if (await isKept(row)) yield row;
}

type Places = Map<string, [offset: number, bytes: number][]>;

/** A merchant's documents share segments with other merchants of the workspace, so blanks overwrite them. */
async function withoutMerchant(
  files: readonly ArchivedFile[],
  workspace: string,
  merchantId: string,
): Promise<WriteTable[] | null> {
  const decisions = files.find(({ table }) => table.table === "decisions");
  if (decisions === undefined) return null;
  const [workspaceAt, merchantAt] = [decisions.at("workspace_id"), decisions.at("merchant_id")];
  const isErased = (row: Row): boolean => row[workspaceAt] === workspace && row[merchantAt] === merchantId;
  const places = await placesOf(decisions, isErased);
  if (places.size === 0) return null;
  return files.map((file) => {
    if (file === decisions) return writer(file, () => filtered(file, (row) => !isErased(row)));
    if (file.table.table === "decision_segments") return writer(file, () => blanked(file, places, workspace));
    return writer(file, () => withoutDecisions(file, decisions, isErased));
  });
}

async function placesOf(decisions: ArchivedFile, isErased: (row: Row) => boolean): Promise<Places> {
  const [segmentAt, offsetAt, bytesAt] = [
    decisions.at("segment_id"),
    decisions.at("doc_offset"),
    decisions.at("doc_bytes"),
  ];
  const places: Places = new Map();
  for await (const row of decisions.rows()) {
    if (!isErased(row)) continue;
    const segment = String(row[segmentAt]);
    const place: [number, number] = [Number(row[offsetAt]), Number(row[bytesAt])];
    const known = places.get(segment);
    if (known === undefined) places.set(segment, [place]);
    else known.push(place);
  }
  return places;
}

async function* blanked(file: ArchivedFile, places: Places, workspace: string): AsyncGenerator<Row> {
  const [workspaceAt, segmentAt, docsAt] = [file.at("workspace_id"), file.at("segment_id"), file.at("docs")];
  for await (const row of file.rows()) {
    const own = row[workspaceAt] === workspace ? places.get(String(row[segmentAt])) : undefined;
    if (own === undefined) {
      yield row;
      continue;
    }
    const docs = blankDocuments(row[docsAt] as Uint8Array, own);
    if (docs !== null) yield row.with(docsAt, docs);
  }
}

/**
 * Yields the rows of a table without those of erased decisions. Both files are sorted by the same key, so they are
 * read in parallel and no rows are kept in memory.
 */
async function* withoutDecisions(
  file: ArchivedFile,
  decisions: ArchivedFile,
  isErased: (row: Row) => boolean,
): AsyncGenerator<Row> {
  const erased = erasedKeys(decisions, isErased);
  try {
    const keyOf = keyReader(file);
    let next = await erased.next();
    for await (const row of file.rows()) {
      const key = keyOf(row);
      while (next.done !== true && next.value < key) next = await erased.next();
      if (next.done === true || next.value !== key) yield row;
    }
  } finally {
    await erased.return(undefined);
  }
}

async function* erasedKeys(
  decisions: ArchivedFile,
  isErased: (row: Row) => boolean,
): AsyncGenerator<string, undefined> {
  const keyOf = keyReader(decisions);
  for await (const row of decisions.rows()) if (isErased(row)) yield keyOf(row);
  return undefined;
}

/**
 * Returns a row's primary key as text. The texts sort like the keys, because ids have one length and a mode has one
 * digit.
 */
function keyReader(file: ArchivedFile): (row: Row) => string {
  const at = ["workspace_id", "mode", "decision_id"].map((column) => file.at(column));
  return (row) => at.map((place) => String(row[place])).join(" ");
}
