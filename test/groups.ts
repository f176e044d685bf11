import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Test files that run one after the other in one process. */
export interface Group {
  name: string;
  /** Paths under dist/test/. If the files run in several stages, the stage comes first (test/runner/stages.ts). */
  files: string[];
  /** Environment variables of the process, in addition to those of the runner. */
  env?: Readonly<Record<string, string>>;
}

/** The exports of test/support/service/shared-service.ts and nodes.ts that share a service. */
const SHARED_SERVICES: readonly string[] = ["sharedTestService", "frozenTestService", "cachedNodes"];

/**
 * Each service file costs about half a second of CPU for its own imports. A process with more files would end after all
 * others.
 */
const FILES_PER_PROCESS_MAX = 6;
/** Folders of unit tests with fewer files share a process. */
const FOLDER_FILES_MIN = 4;

/**
 * A process costs up to a second of CPU before its first test, so files share processes. Unit tests share one by
 * folder, and small folders share one together. Users of a shared service are in one process, because it has one
 * service of each kind. Other service tests, browser tests, attacks and tests of several nodes share a process a few
 * files at a time. Each fault test has its own process, because it kills, stalls and fills what it touches. The longest
 * group comes first. Fault tests alternate with unit tests, because fault tests mostly wait and unit tests compute.
 */
export async function groupFiles(testDir: string, files: readonly string[]): Promise<Group[]> {
  const shared = new Map(SHARED_SERVICES.map((name) => [name, [] as string[]]));
  const alone: string[] = [];
  const browser: string[] = [];
  const attacks: string[] = [];
  const service: string[] = [];
  const nodes: string[] = [];
  const folders = new Map<string, string[]>();
  for (const file of files) {
    if (file.startsWith("unit/")) {
      const folder = dirname(file);
      folders.set(folder, [...(folders.get(folder) ?? []), file]);
    } else if (file.startsWith("attacks/")) attacks.push(file);
    else if (!/^(?:browser|nodes|processes|service)\//.test(file)) alone.push(file);
    else {
      const source = await readFile(join(testDir, file), "utf8");
      const asked = SHARED_SERVICES.find((name) => source.includes(`${name}()`));
      const others = { browser, nodes }[file.split("/")[0] ?? ""] ?? service;
      (shared.get(asked ?? "") ?? others).push(file);
    }
  }
  const small: string[] = [];
  for (const [folder, some] of folders) {
    if (some.length >= FOLDER_FILES_MIN) continue;
    small.push(...some);
    folders.delete(folder);
  }
  const groups: Group[] = [
    ...Array.from(shared, ([name, some]) => ({ name, files: some })),
    ...chunks(service, FILES_PER_PROCESS_MAX).map((some) => ({ name: `${some[0]}…`, files: some })),
    ...chunks(browser, FILES_PER_PROCESS_MAX).map((some) => ({ name: `${some[0]}…`, files: some })),
    ...chunks(attacks, FILES_PER_PROCESS_MAX).map((some) => ({ name: `${some[0]}…`, files: some })),
    ...chunks(nodes, FILES_PER_PROCESS_MAX).map((some) => ({ name: `${some[0]}…`, files: some })),
    ...byTurns(
      alone.map((file) => ({ name: file, files: [file] })),
      [
        { name: "unit/…", files: small },
        ...Array.from(folders, ([folder, some]) => ({ name: folder, files: some })),
      ],
    ),
  ];
  return groups.filter((group) => group.files.length > 0);
}

/** Spreads each stage over the whole run, so that waiting stages run beside computing ones. */
export function sideBySide(stages: readonly (readonly Group[])[]): Group[] {
  return stages
    .flatMap((groups) => groups.map((group, index) => ({ group, at: (index + 0.5) / groups.length })))
    .toSorted((one, other) => one.at - other.at)
    .map(({ group }) => group);
}

function chunks<T>(items: readonly T[], sizeMax: number): T[][] {
  const count = Math.ceil(items.length / sizeMax);
  return Array.from({ length: count }, (_, chunk) => items.filter((_item, index) => index % count === chunk));
}

function byTurns<T>(some: readonly T[], others: readonly T[]): T[] {
  return Array.from({ length: Math.max(some.length, others.length) }, (_, at) => [
    ...some.slice(at, at + 1),
    ...others.slice(at, at + 1),
  ]).flat();
}
