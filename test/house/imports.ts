import { posix } from "node:path";
import { floorOf, refusal } from "./boundaries.js";
import { folderCircles, wayRound, type Edge } from "./circles.js";
import { BUILD_FILES } from "./floors.js";
import type { Offender } from "./offenders.js";
import type { SourceFile } from "./source-file.js";

/** The files of `src` and `workers` that no floor speaks for: nothing would hold their imports. */
export function homelessFolders(files: readonly string[]): string[] {
  const homeless = files.filter(
    (file) => /^(?:src|workers)\/.*\.tsx?$/.test(file) && floorOf(file) === undefined,
  );
  return Array.from(
    new Set(homeless.map((file) => posix.dirname(file))),
    (folder) => `${folder} has no floor in test/house/floors.ts`,
  );
}

/** The file that an import means; undefined for a package. */
export function targetOf(file: string, specifier: string, files: ReadonlySet<string>): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const path = posix.join(posix.dirname(file), specifier);
  return [path, path.replace(/\.js$/, ".ts"), path.replace(/\.js$/, ".tsx")].find((one) => files.has(one));
}

/** Imports against the floors that are not listed, and listed ones that are gone. */
export function floorFaults(
  sources: readonly SourceFile[],
  files: ReadonlySet<string>,
  offenders: readonly Offender[],
): string[] {
  const listed = new Set(offenders.map(({ from, to }) => `${from} imports ${to}`));
  const found = new Set<string>();
  const faults: string[] = [];
  for (const { path, imports } of sources.filter((source) => !BUILD_FILES.includes(source.path))) {
    for (const { specifier, isType } of imports) {
      const reason = refusal(path, specifier, isType);
      if (reason === null) continue;
      const edge = `${path} imports ${targetOf(path, specifier, files) ?? specifier}`;
      if (!listed.has(edge) && !found.has(edge)) faults.push(`${edge}: ${reason}`);
      found.add(edge);
    }
  }
  const gone = Array.from(listed)
    .filter((edge) => !found.has(edge))
    .map((edge) => `no longer so, take it out of test/house/offenders.ts: ${edge}`);
  return [...faults, ...gone];
}

/** Circles of folders that are not listed, and listed folders that are in none. */
export function circleFaults(
  sources: readonly SourceFile[],
  files: ReadonlySet<string>,
  listed: readonly (readonly string[])[],
): string[] {
  const edges = sources.flatMap(({ path, imports }) =>
    imports.flatMap(({ specifier }): Edge[] => {
      const to = targetOf(path, specifier, files);
      return to === undefined ? [] : [{ from: path, to }];
    }),
  );
  const circles = folderCircles(edges);
  const within = (some: readonly string[], others: readonly string[]): boolean =>
    some.every((folder) => others.includes(folder));
  const unlisted = circles
    .filter((circle) => !listed.some((known) => within(circle, known)))
    .map((circle) => {
      // The way through a folder that is new in a known circle shows what was added.
      const fresh = circle.filter((folder) => !listed.flat().includes(folder));
      const way = wayRound(circle, edges, fresh.length > 0 ? fresh : circle);
      const steps = way.map(({ from, to }) => `${from} imports ${to}`).join("; ");
      return `folders import each other in a circle: ${steps} (in all: ${circle.join(", ")})`;
    });
  const inCircles = new Set(circles.flat());
  const gone = listed
    .flat()
    .filter((folder) => !inCircles.has(folder))
    .map((folder) => `${folder} is in no circle any more: take it out of test/house/known-circles.ts`);
  return [...unlisted, ...gone];
}
