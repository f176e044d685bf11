import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** What running nodes of the version before do when a migration runs under them. */
type RunningNodes = "survive" | "breaking";

export interface MigrationHead {
  /** The number that its file begins with. */
  id: number;
  file: string;
  runningNodes: RunningNodes;
}

/** A migration does not say what it does to running nodes. The message names it, in one line. */
export class MigrationHeadError extends Error {}

/** The first line: the word, then why it is that one. */
const HEAD = /^-- running nodes: (survive|breaking), \S.+\n/;

/** NODE-6: `sql` is what `file` holds. Throws MigrationHeadError where its first line is no such one. */
export function readMigrationHead(file: string, sql: string): MigrationHead {
  const runningNodes = HEAD.exec(sql)?.[1];
  if (runningNodes === undefined) {
    throw new MigrationHeadError(
      `${file} must begin with "-- running nodes: survive, …" or "-- running nodes: breaking, …", and say why`,
    );
  }
  return { id: Number.parseInt(file, 10), file, runningNodes: runningNodes as RunningNodes };
}

/** Of all migrations in `dir`, in their order. */
export async function readMigrationHeads(dir: string): Promise<MigrationHead[]> {
  const files = (await readdir(dir)).filter((name) => name.endsWith(".sql")).toSorted();
  return Promise.all(
    files.map(async (file) => readMigrationHead(file, await readFile(join(dir, file), "utf8"))),
  );
}
