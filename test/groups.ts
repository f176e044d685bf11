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
 * groups come first. Unit tests are spread among the others, because they compute, and the others wait for a third of
 * their time. After them, they left both cores idle for a quarter of the first minute.
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
  const waiting: Group[] = [
    ...Array.from(shared, ([name, some]) => ({ name, files: some })),
    ...chunks(service, FILES_PER_PROCESS_MAX).map((some) => ({ name: `${some[0]}…`, files: some })),
    ...chunks(browser, FILES_PER_PROCESS_MAX).map((some) => ({ name: `${some[0]}…`, files: some })),
    ...chunks(attacks, FILES_PER_PROCESS_MAX).map((some) => ({ name: `${some[0]}…`, files: some })),
    ...chunks(nodes, FILES_PER_PROCESS_MAX).map((some) => ({ name: `${some[0]}…`, files: some })),
    ...alone.map((file) => ({ name: file, files: [file] })),
  ];
  const computing: Group[] = [
    { name: "unit/…", files: small },
    ...Array.from(folders, ([folder, some]) => ({ name: folder, files: some })),
  ];
  return sideBySide([waiting, computing].map((groups) => groups.filter(({ files }) => files.length > 0)));
}

/** Spreads each list over the whole run, so that groups that wait run beside groups that compute. */
export function sideBySide(lists: readonly (readonly Group[])[]): Group[] {
  return lists
    .flatMap((groups) => groups.map((group, index) => ({ group, at: (index + 0.5) / groups.length })))
    .toSorted((one, other) => one.at - other.at)
    .map(({ group }) => group);
}

function chunks<T>(items: readonly T[], sizeMax: number): T[][] {
  const count = Math.ceil(items.length / sizeMax);
  return Array.from({ length: count }, (_, chunk) => items.filter((_item, index) => index % count === chunk));
}
