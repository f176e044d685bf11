import { posix } from "node:path";
import { floorOf, refusal } from "./boundaries.js";
import { folderCircles, wayRound, type Edge } from "./circles.js";
import { BUILD_FILES } from "./floors.js";
import type { SourceFile } from "./source-file.js";

/** The folders of `src` and `workers` without a floor. Nothing would check their imports. */
export function homelessFolders(files: readonly string[]): string[] {
  const homeless = files.filter(
    (file) => /^(?:src|workers)\/.*\.tsx?$/.test(file) && floorOf(file) === undefined,
  );
  return Array.from(
    new Set(homeless.map((file) => posix.dirname(file))),
    (folder) => `${folder} has no floor in test/house/floors.ts`,
  );
}

/** The file that an import refers to. Undefined for a package, and for a file that is not among `files`. */
export function targetOf(file: string, specifier: string, files: ReadonlySet<string>): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const path = posix.join(posix.dirname(file), specifier);
  return [path, path.replace(/\.js$/, ".ts"), path.replace(/\.js$/, ".tsx")].find((one) => files.has(one));
}

/** The imports that break a floor's rules. */
export function floorFaults(sources: readonly SourceFile[], files: ReadonlySet<string>): string[] {
  const faults = new Set<string>();
  for (const { path, imports } of sources.filter((source) => !BUILD_FILES.includes(source.path))) {
    for (const { specifier, isType } of imports) {
      const reason = refusal(path, specifier, isType);
      if (reason === null) continue;
      faults.add(`${path} imports ${targetOf(path, specifier, files) ?? specifier}: ${reason}`);
    }
  }
  return [...faults];
}

/** Circles of folders. An import of types counts like any other. */
export function circleFaults(sources: readonly SourceFile[], files: ReadonlySet<string>): string[] {
  const edges = sources.flatMap(({ path, imports }) =>
    imports.flatMap(({ specifier }): Edge[] => {
      const to = targetOf(path, specifier, files);
      return to === undefined ? [] : [{ from: path, to }];
    }),
  );
  return folderCircles(edges).map((circle) => {
    const way = wayRound(circle, edges).map(({ from, to }) => `${from} imports ${to}`);
    return `folders import each other in a circle: ${way.join("; ")} (in all: ${circle.join(", ")})`;
  });
}
