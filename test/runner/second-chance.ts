import type { Group } from "../groups.js";
import type { FileResult } from "./results.js";

/**
 * Tests share a machine with each other and with whatever else runs on it. A file that failed is run once more, with
 * nothing of the run beside it: one that fails again is broken, and one that passes is named, so that it is mended. A
 * run with more of these than so many has failed: then it is no accident.
 */
const UNSTABLE_MAX = 3;
/** The first of them may be a file's first run at all, where its process ended before its turn. */
const ROUNDS = 2;

interface Run {
  code: number;
  results: ReadonlyMap<string, FileResult>;
}

/** `runAlone` runs each of the files in a process of its own, one after the other. */
export async function secondChance(
  groups: readonly Group[],
  first: ReadonlyMap<string, FileResult>,
  runAlone: (files: readonly string[], round: number) => Promise<Run>,
): Promise<{ isPassed: boolean; text: string }> {
  const files = groups.flatMap((group) => group.files);
  const failed = files.filter((file) => first.get(file)?.isPassed === false);
  const lost = files.filter((file) => !first.has(file));
  // All passed, and yet a process failed: after its last file, which nobody can be blamed for.
  if (failed.length + lost.length === 0)
    return { isPassed: false, text: "a process failed after its test files\n" };

  const failures = new Map(failed.map((file) => [file, 1]));
  const broken: string[] = [];
  let left = [...failed, ...lost];
  for (let round = 1; round <= ROUNDS && left.length > 0; round++) {
    const { results } = await runAlone(left, round);
    const still = left.filter((file) => results.get(file)?.isPassed !== true);
    for (const file of still) failures.set(file, (failures.get(file) ?? 0) + 1);
    broken.push(...still.filter((file) => failures.get(file) === 2));
    left = still.filter((file) => !broken.includes(file));
  }
  broken.push(...left);
  const unstable = [...failures.keys()].filter((file) => !broken.includes(file));
  const ended = groups
    .filter((group) => group.files.some((file) => lost.includes(file)))
    .map(({ name }) => name);
  const lines = [
    ...listed("failed twice:", broken),
    ...listed("unstable: failed once, passed alone:", unstable),
    ...listed("unstable: the process ended early, its files passed alone:", ended),
  ];
  const accidents = unstable.length + ended.length;
  if (accidents > UNSTABLE_MAX)
    lines.push(`${accidents} accidents are more than ${UNSTABLE_MAX}: the run has failed`);
  return { isPassed: broken.length === 0 && accidents <= UNSTABLE_MAX, text: `${lines.join("\n")}\n` };
}

const listed = (title: string, names: readonly string[]): string[] =>
  names.length === 0 ? [] : [title, ...names.map((name) => `  ${name}`)];
