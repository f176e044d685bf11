import type { Reached } from "./changed.js";

/**
 * What an edit is answered with: the tests nearest to it, as many as are done within 20 s. Two cores take as many
 * seconds of CPU in half of that time, which leaves the rest to the build, PostgreSQL and the start of processes.
 */
const BUDGET_CPU_S = 16;
/** Of a file whose cost no earlier run of this checkout has told: more than most of its kind, so that 20 s hold. */
const UNKNOWN_CPU_S: readonly [name: RegExp, cpuS: number][] = [
  [/^unit\/.*\.property\./, 4],
  [/^unit\//, 0.8],
  [/^service\//, 9],
];
const OTHERS_CPU_S = 14;
const NAMED_MAX = 8;

export interface Nearest {
  files: string[];
  leftOut: string[];
}

/** A test file that imports the changed one, or one that does. */
const NEAR_MAX = 2;

/**
 * First come files that are near the change by themselves, then those of its subject that start a service which has it,
 * then whoever else reaches it by himself. The nearest is first, the cheaper of two as near; one is always taken. Who
 * reaches it through what all tests stand on, with a subject of his own, is left to the whole run.
 */
export function nearest(
  reached: readonly Reached[],
  changed: readonly string[],
  cpuSeconds: ReadonlyMap<string, number>,
): Nearest {
  const cost = (file: string): number => cpuSeconds.get(file) ?? unknownCost(file);
  const subjects = new Set(changed.flatMap(subjectsOf));
  const isOfSubject = ({ file }: Reached): boolean =>
    file.split("/").some((part) => subjects.has(part) || part.split("-").some((word) => subjects.has(word)));
  const rank = (one: Reached): number => {
    if (one.isThroughDoor) return isOfSubject(one) ? 1 : 3;
    return one.distance <= NEAR_MAX || isOfSubject(one) ? 0 : 2;
  };
  const inOrder = reached.toSorted(
    (one, other) =>
      rank(one) - rank(other) || one.distance - other.distance || cost(one.file) - cost(other.file),
  );
  const files: string[] = [];
  const leftOut: string[] = [];
  let leftS = BUDGET_CPU_S;
  for (const one of inOrder) {
    const isAsked = rank(one) < 3;
    const its = cost(one.file);
    if (isAsked && (its <= leftS || files.length === 0)) {
      files.push(one.file);
      leftS -= its;
    } else leftOut.push(one.file);
  }
  return { files, leftOut };
}

const unknownCost = (file: string): number =>
  UNKNOWN_CPU_S.find(([name]) => name.test(file))?.[1] ?? OTHERS_CPU_S;

/** Folders that say where something stands, and not what it is about. */
const PLACES = new Set(["domain", "platform", "path", "features", "unit", "service", "support"]);

/** One subject has one name in src/features and test; a migration is PostgreSQL's. */
function subjectsOf(path: string): string[] {
  // What a page shows is no part of what the service answers, but for the files that it serves.
  if (path.startsWith("src/dashboard/")) return ["dashboard"];
  if (path.startsWith("migrations/")) return ["postgres"];
  return path
    .split("/")
    .slice(1, -1)
    .filter((folder) => !PLACES.has(folder));
}

/**
 * What was left out, in words: by name where these are few, by count and folder where they are many. `installed` are
 * those of `npm run test:installed`, which no other run has.
 */
export function leftOutInWords(leftOut: readonly string[], installed: readonly string[]): string {
  return `left out: ${inWords(leftOut)}\nleft out of npm run test:installed: ${inWords(installed)}\n`;
}

function inWords(files: readonly string[]): string {
  if (files.length === 0) return "none";
  if (files.length <= NAMED_MAX) return files.join(" ");
  const counts = new Map<string, number>();
  for (const file of files) {
    const kind = file.slice(0, file.indexOf("/") + 1);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return `${files.length} files that reach the change too (${Array.from(counts, ([kind, count]) => `${count} in ${kind}`).join(", ")})`;
}
