import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The effect of a migration on running nodes of the previous version. */
type RunningNodes = "survive" | "breaking";

export interface MigrationHead {
  /** The number at the beginning of the file's name. */
  id: number;
  file: string;
  runningNodes: RunningNodes;
}

/** The message names, in one line, a migration that does not state its effect on running nodes. */
export class MigrationHeadError extends Error {}

/** The form of a migration's first line: the effect, then the reason for it. */
const HEAD = /^-- running nodes: (survive|breaking), \S.+\n/;

/**
 * NODE-6: reads the first line of `sql`, which is the content of `file`. Throws MigrationHeadError if that line has not
 * the form of HEAD.
 */
export function readMigrationHead(file: string, sql: string): MigrationHead {
  const runningNodes = HEAD.exec(sql)?.[1];
  if (runningNodes === undefined) {
    throw new MigrationHeadError(
      `${file} must begin with "-- running nodes: survive, …" or "-- running nodes: breaking, …", and say why`,
    );
  }
  return { id: Number.parseInt(file, 10), file, runningNodes: runningNodes as RunningNodes };
}

/** Reads the heads of all migrations in `dir`, in their order. */
export async function readMigrationHeads(dir: string): Promise<MigrationHead[]> {
  const files = (await readdir(dir)).filter((name) => name.endsWith(".sql")).toSorted();
  return Promise.all(
    files.map(async (file) => readMigrationHead(file, await readFile(join(dir, file), "utf8"))),
  );
}
