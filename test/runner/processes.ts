import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Group } from "../groups.js";
import { GARBAGE_ARGUMENTS, SHORT_LIVED_ARGUMENTS } from "../support/machine/short-lived.js";
import { readByFile, type FileResult } from "./results.js";
import { fileOf } from "./stages.js";
import type { Run } from "./second-chance.js";

const TEST_DIR = fileURLToPath(new URL("../", import.meta.url));
const REPORTER = new URL("reporter.js", import.meta.url).href;
const TOGETHER = new URL("../support/together.js", import.meta.url).href;
/** How long a node:test process may take to end after the run asks it to. */
const END_MS_MAX = 3_000;

export interface RunGroupsOptions {
  /** The directory for the files given to node:test, and for its results. It is created here. */
  dir: string;
  /** The directory of the group's files. Default: dist/test/. */
  testDir?: string;
  atOnce: number;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/**
 * Runs one node:test process for each group. Resolves to the result of each file, even if the file did not report one.
 */
export async function runGroups(groups: readonly Group[], options: RunGroupsOptions): Promise<Run> {
  const { dir, testDir = TEST_DIR, atOnce, env, signal } = options;
  const paths = await writeGroups(dir, testDir, groups);
  const resultsFile = join(dir, "results.jsonl");
  // A terminal is passed on, so that colours work. Output to a pipe is written here, because a failed write shows that
  // the reader has gone.
  const isTerminal = process.stdout.isTTY;
  if (signal.aborted) return { code: 1, results: new Map(), failedGroups: new Set() };
  const tests = spawn(
    process.execPath,
    [
      // node:test hands them on to each of its processes.
      ...SHORT_LIVED_ARGUMENTS,
      ...GARBAGE_ARGUMENTS,
      "--test",
      "--test-reporter=spec",
      "--test-reporter-destination=stdout",
      `--test-reporter=${REPORTER}`,
      `--test-reporter-destination=${resultsFile}`,
      `--test-concurrency=${atOnce}`,
      ...paths,
    ],
    { stdio: ["inherit", isTerminal ? "inherit" : "pipe", "inherit"], env },
  );
  tests.stdout?.pipe(process.stdout, { end: false });
  const killers: NodeJS.Timeout[] = [];
  const end = (): void => {
    tests.kill("SIGTERM");
    // Without a reader, node:test would wait for its pipe and never handle the signal.
    tests.stdout?.resume();
    killers.push(setTimeout(() => tests.kill("SIGKILL"), END_MS_MAX));
  };
  signal.addEventListener("abort", end);
  const [code] = (await once(tests, "close")) as [number | null];
  signal.removeEventListener("abort", end);
  for (const killer of killers) clearTimeout(killer);
  const results = await readByFile<FileResult>(resultsFile);
  const failed = groups.filter((_group, index) => results.get(paths[index] as string)?.isPassed === false);
  return { code: code ?? 1, results, failedGroups: new Set(failed.map(({ name }) => name)) };
}

/**
 * node:test starts one process for each file it is given. So this writes one file for each group, in the order of the
 * groups.
 */
async function writeGroups(dir: string, testDir: string, groups: readonly Group[]): Promise<string[]> {
  await mkdir(dir);
  const paths: string[] = [];
  for (const [index, group] of groups.entries()) {
    const members = group.files.map((name) => ({
      name,
      url: pathToFileURL(join(testDir, fileOf(name))).href,
    }));
    const path = join(dir, `${String(index).padStart(3, "0")}-${group.name.replaceAll(/[/: ]+/g, "-")}.mjs`);
    // Sets the environment before any module reads it.
    const lines = [
      `Object.assign(process.env, ${JSON.stringify(group.env ?? {})});`,
      `const { runTogether } = await import(${JSON.stringify(TOGETHER)});`,
      `runTogether(${JSON.stringify(members)});`,
    ];
    await writeFile(path, `${lines.join("\n")}\n`);
    paths.push(path);
  }
  return paths;
}
