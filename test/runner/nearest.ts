import type { Reached } from "./changed.js";

/**
 * After an edit, the nearest tests run until 20 s are used up. Two cores use this much CPU in half of that time. The
 * other half goes to the build, PostgreSQL and starting processes.
 */
const BUDGET_CPU_S = 16;
/**
 * The assumed cost of a file that has not been measured in this checkout. It is higher than the cost of most such
 * files, so that the 20 s hold.
 */
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

/** The most references to a change for a near test file: it imports the changed file, or a file that does. */
const NEAR_MAX = 2;

/**
 * Orders the test files. First come files that import the change without a door, and are near it or about its subject.
 * Then come files about its subject that reach it only through a door. Last come the other files that import it
 * without a door. Within each group, nearer files come first, and of equally near files the cheaper ones. At least one
 * of these files is chosen. A file about another subject that reaches the change only through a door is left out.
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
    const isWanted = rank(one) < 3;
    const costS = cost(one.file);
    if (isWanted && (costS <= leftS || files.length === 0)) {
      files.push(one.file);
      leftS -= costS;
    } else leftOut.push(one.file);
  }
  return { files, leftOut };
}

const unknownCost = (file: string): number =>
  UNKNOWN_CPU_S.find(([name]) => name.test(file))?.[1] ?? OTHERS_CPU_S;

/** Folder names that give a file's place, but not its subject. */
const PLACES = new Set(["domain", "platform", "path", "features", "unit", "service", "support"]);

/** A subject has the same name in src/features and in test. A migration belongs to PostgreSQL. */
function subjectsOf(path: string): string[] {
  // The pages are no part of the service's answers, but the service delivers their files.
  if (path.startsWith("src/dashboard/")) return ["dashboard"];
  if (path.startsWith("migrations/")) return ["postgres"];
  return path
    .split("/")
    .slice(1, -1)
    .filter((folder) => !PLACES.has(folder));
}

/**
 * Describes the files left out: a few by name, many by count and folder. `installed` are files of `npm run
 * test:installed`, which no other run contains.
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
