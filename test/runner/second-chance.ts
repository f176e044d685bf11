import type { Group } from "../groups.js";
import type { FileResult } from "./results.js";

/**
 * Tests share a machine with each other and with other programs. A file that failed runs once more, alone. If it fails
 * again, it is broken. If it passes, it is reported as unstable, so that somebody fixes it. With more unstable files
 * than this, the run fails, because so many have a common cause.
 */
const UNSTABLE_MAX = 3;
/**
 * With more failed files than this, none of them runs again. So many have a common cause, and running each alone would
 * take long.
 */
const AGAIN_MAX = 12;
/** If a process ended before a file's turn, the first of these rounds is the file's first run. */
const ROUNDS = 2;

export interface Run {
  code: number;
  results: ReadonlyMap<string, FileResult>;
  /** The groups whose process failed by itself: it ended early, or broke after its last file. */
  failedGroups: ReadonlySet<string>;
}

export interface Verdict {
  isPassed: boolean;
  text: string;
  /** One line for each unstable file. */
  unstable: string[];
}

/**
 * `runAlone` runs each file in its own process, in sequence, as a group with the file's name. If a process ended
 * before its file was done, the first run alone counts as the file's first run.
 */
export async function secondChance(
  groups: readonly Group[],
  first: Run,
  runAlone: (files: readonly string[], round: number) => Promise<Run>,
): Promise<Verdict> {
  const files = groups.flatMap((group) => group.files);
  const failed = files.filter((file) => first.results.get(file)?.isPassed === false);
  const lost = files.filter((file) => !first.results.has(file));
  const ended = groups.filter((group) => group.files.some((file) => lost.includes(file)));
  // All files passed, but the process failed after its last file, so no file is to blame.
  const faulty = groups.filter((group) => first.failedGroups.has(group.name) && !ended.includes(group));
  if (failed.length > AGAIN_MAX) {
    const text = `${failed.length} files failed, which is no accident: none of them runs again\n`;
    return { isPassed: false, text, unstable: [] };
  }
  const { broken, unstable } = await runAgain(failed, lost, runAlone);
  const accidents = ended.filter((group) => !group.files.some((file) => broken.includes(file)));
  const count = unstable.length + accidents.length;
  const isUnexplained = failed.length + lost.length + faulty.length === 0;
  const lines = [
    ...listed("failed twice:", broken),
    ...listed(
      "a process failed after its test files:",
      faulty.map(({ name }) => name),
    ),
    ...(isUnexplained ? ["node:test failed, though all test files passed"] : []),
    ...listed("unstable: failed once, passed alone:", unstable),
    ...listed(
      "unstable: the process ended early, its files passed alone:",
      accidents.map(({ name }) => name),
    ),
    ...(count > UNSTABLE_MAX ? [`${count} accidents are more than ${UNSTABLE_MAX}: the run has failed`] : []),
  ];
  return {
    isPassed: broken.length === 0 && faulty.length === 0 && !isUnexplained && count <= UNSTABLE_MAX,
    text: lines.map((line) => `${line}\n`).join(""),
    unstable: [
      ...unstable.map((file) => `${file} failed once, passed alone`),
      ...accidents.map(({ name }) => `the process of ${name} ended early, its files passed alone`),
    ],
  };
}

async function runAgain(
  failed: readonly string[],
  lost: readonly string[],
  runAlone: (files: readonly string[], round: number) => Promise<Run>,
): Promise<{ broken: string[]; unstable: string[] }> {
  const failures = new Map(failed.map((file) => [file, 1]));
  const broken: string[] = [];
  let left = [...failed, ...lost];
  for (let round = 1; round <= ROUNDS && left.length > 0; round++) {
    const { results, failedGroups } = await runAlone(left, round);
    const still = left.filter((file) => results.get(file)?.isPassed !== true || failedGroups.has(file));
    for (const file of still) failures.set(file, (failures.get(file) ?? 0) + 1);
    broken.push(...still.filter((file) => failures.get(file) === 2));
    left = still.filter((file) => !broken.includes(file));
  }
  return { broken, unstable: [...failures.keys()].filter((file) => !broken.includes(file)) };
}

const listed = (title: string, names: readonly string[]): string[] =>
  names.length === 0 ? [] : [title, ...names.map((name) => `  ${name}`)];
