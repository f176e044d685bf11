import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ArchiveError, PART_NAME, partName, readManifest, WEEK_NAME, type Manifest } from "./manifest.js";
import { assertReadsBack } from "./read-back.js";

/** One line of the report. */
export interface PartFinding {
  state: "ok" | "note" | "wrong";
  /** The week's name, or `archive`. */
  subject: string;
  text: string;
}

/** RET-15: reads every part of an archive again, oldest week first. It changes nothing. */
export async function* verifyArchive(root: string): AsyncGenerator<PartFinding> {
  let weeks: string[];
  try {
    weeks = (await readdir(root)).filter((name) => WEEK_NAME.test(name)).toSorted();
  } catch (error) {
    yield { state: "wrong", subject: "archive", text: wordsOf(error) };
    return;
  }
  if (weeks.length === 0) yield { state: "note", subject: "archive", text: "holds no week" };
  for (const week of weeks) {
    const names = await readdir(join(root, week));
    const parts = names
      .filter((name) => PART_NAME.test(name))
      .map((name) => Number(name.slice("part-".length)));
    for (const part of parts.toSorted((a, b) => a - b)) yield await verifyPart(root, week, part);
    for (const name of names.filter((given) => !PART_NAME.test(given))) {
      yield { state: "note", subject: week, text: `${name} is no part: a run that broke off left it` };
    }
  }
}

async function verifyPart(root: string, week: string, part: number): Promise<PartFinding> {
  const name = partName(part);
  const dir = join(root, week, name);
  try {
    const manifest = await readManifest(dir);
    if (manifest === null) throw new ArchiveError("it has no manifest");
    if (manifest.week !== week || manifest.part !== part)
      throw new ArchiveError("its manifest is of another part");
    for (const table of manifest.tables) await assertReadsBack(dir, table);
    return { state: "ok", subject: week, text: `${name}: ${summaryOf(manifest)}` };
  } catch (error) {
    return { state: "wrong", subject: week, text: `${name}: ${wordsOf(error)}` };
  }
}

function summaryOf({ tables }: Manifest): string {
  return tables.map(({ table, rows }) => `${table} ${rows}`).join(", ");
}

const wordsOf = (error: unknown): string => (error as Error).message.replace(/\s*\n\s*/g, " ");
