import { appendFileSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ClaimedError, claimForProcess } from "../src/platform/node/process-claim.js";
import { writeReliability } from "./faults/reliability-table.js";
import { groupFiles, sideBySide, type Group } from "./groups.js";
import { changedFiles, needsDatabases, reachedBy } from "./runner/changed.js";
import { watchForInterruption } from "./runner/interruption.js";
import { removeRun } from "./runner/leftovers.js";
import { leftOutInWords, nearest } from "./runner/nearest.js";
import { readOptions } from "./runner/options.js";
import { runGroups } from "./runner/processes.js";
import { referencesUnder } from "./runner/references.js";
import { counted, readByFile, slowest, summary, type FileCost } from "./runner/results.js";
import { secondChance, type Run } from "./runner/second-chance.js";
import { isOfInstalled, namesOf, selectFiles, type StageFiles } from "./runner/selection.js";
import { createEnvironments, type Environment } from "./runner/stage-environments.js";
import { fileOf, inWords, nameIn } from "./runner/stages.js";
import { COSTS_VARIABLE } from "./support/cpu-time.js";
import { DISK_VARIABLE, makeDiskDir, makeTestDir } from "./support/machine/test-dir.js";

/**
 * `npm test` starts one embedded PostgreSQL for the whole run. On it every test file makes its own databases. The run
 * executes the unit tests and the tests of the service with node:test, and then stops all that it started. Each
 * argument selects files of every kind by a part of their path.
 *
 * - `--processes` (`npm run test:processes`) runs the faults, the attacks, and the tests that start processes.
 * - `--installed` (`npm run test:installed`) runs only the files that need programs which cannot be embedded.
 * - `--postgres=15` runs the files whose statements differ most, on that major version of PostgreSQL.
 * - `--again` also runs the unit and service tests on the oldest PostgreSQL, if that is among the versions.
 * - `--two-nodes` runs the files about the service's behaviour on two nodes behind the edge.
 * - `--changed` runs the files nearest to the changes since `main`, for some seconds, and names the ones it leaves out.
 * - `--long` (`npm run test:faults`) runs only the `*.long.test` files, one after the other because they measure, and
 *   writes their figures into RELIABILITY.md. `--quick` shortens them.
 *
 * Several options make several stages of one run (`npm run test:rest`), which run side by side. A file that fails runs
 * once more, alone: see test/runner/second-chance.ts. A checkout has one run at a time. Exit codes: 0 if all passed, 1
 * if not, and 129, 130 or 143 if a signal ended the run.
 */
const beganMs = performance.now();
const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));
const RELIABILITY = join(root, "RELIABILITY.md");
const CLAIM = join(root, ".test-run");
/** The measurements of earlier runs, for `--changed`. */
const KNOWN_COSTS = join(root, ".test-costs.jsonl");
/**
 * The variable that names a file. Each run appends its unstable files to that file, one a line, and .ci/run prints them
 * at its end.
 */
const UNSTABLE_VARIABLE = "TEST_UNSTABLE_FILE";

/**
 * More processes than the two cores, because processes also wait. With four, a tenth of the time of `test:rest` was idle,
 * with five a fifteenth. For `npm test`, four and six take as long.
 */
const AT_ONCE = 5;

type Staged = StageFiles & { env: Environment };

/** Reports invalid input before anything is started. */
function orRefuse<T extends object>(input: T | { faults: string[] }): T {
  if (!("faults" in input)) return input;
  process.stderr.write(input.faults.map((fault) => `${fault}\n`).join(""));
  process.exit(1);
}

const options = orRefuse(readOptions(process.argv.slice(2)));
const { isLong } = options;
const built = (await readdir(here, { recursive: true })).filter((file) => file.endsWith(".test.js"));
const selected = orRefuse(selectFiles(built, options));
const references = referencesUnder(root);
if (options.isChanged) for (const one of selected) one.files = await filesNearestToChanges(one.files);
// Without a file, node:test would search for files itself.
if (namesOf(selected).length === 0) process.exit(0);

async function filesNearestToChanges(candidates: readonly string[]): Promise<string[]> {
  const changed = changedFiles(root);
  const costs = await readByFile<FileCost>(KNOWN_COSTS);
  const cpuSeconds = new Map(Array.from(costs, ([file, { ownS, startedS }]) => [file, ownS + startedS]));
  const { files, leftOut } = nearest(reachedBy(changed, candidates, references), changed, cpuSeconds);
  const installed = built.filter((file) => isOfInstalled(file) && !candidates.includes(file));
  const installedReached = reachedBy(changed, installed, references).map(({ file }) => file);
  process.stderr.write(
    `${counted(changed.length, "file")} changed since main; the nearest tests: ${counted(files.length, "file")}\n`,
  );
  process.stderr.write(leftOutInWords(leftOut, installedReached));
  return files;
}

/** The closers run in reverse at the end of every run. */
const closers: (() => Promise<unknown>)[] = [];
const interruption = watchForInterruption();
let exitCode = 1;
try {
  closers.push(await claimForProcess(CLAIM));
  exitCode = await run();
} catch (error) {
  const isBusy = error instanceof ClaimedError;
  const reason = isBusy
    ? `process ${error.pid} runs tests in this checkout already, and two runs disturb each other: wait for its end`
    : String((error as Error).stack ?? error);
  if (interruption.exitCode() === undefined) process.stderr.write(`${reason}\n`);
} finally {
  for (const close of closers.toReversed())
    await close().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
}
process.exit(interruption.exitCode() ?? exitCode);

async function run(): Promise<number> {
  const { signal } = interruption;
  const diskDir = await makeDiskDir();
  // Measurements need a real disk. Other tests use memory.
  const dataDir = isLong ? diskDir : await makeTestDir();
  closers.push(() => removeRun([...new Set([dataDir, diskDir])]));
  const environments = createEnvironments({
    dataDir,
    migrationsDir: join(root, "migrations"),
    isRelaxed: !isLong,
    signal,
    closers,
    tell: (line) => process.stderr.write(`${line}\n`),
  });
  const staged: Staged[] = [];
  for (const { stage, files } of selected) {
    const found = await environments.of(stage, needsDatabases(files, references));
    if (signal.aborted) return 1;
    if ("env" in found) staged.push({ stage, files, env: found.env });
    else process.stderr.write(`skipped: ${found.missing}, so nothing is tested on ${inWords(stage)}\n`);
  }
  // The person asked for these files, so a run without any test has not passed.
  if (staged.length === 0) return 1;
  const costsFile = process.env[COSTS_VARIABLE] ?? join(dataDir, "costs.jsonl");
  const figuresFile = join(dataDir, "figures.jsonl");
  const env = {
    ...process.env,
    ...environments.atStart,
    TMPDIR: dataDir,
    [DISK_VARIABLE]: diskDir,
    [COSTS_VARIABLE]: costsFile,
    ...(isLong ? { FAULTS_FIGURES_FILE: figuresFile, FAULTS_QUICK: options.isQuick ? "1" : "0" } : {}),
  };
  const isPassed = await runFiles(staged, dataDir, costsFile, env);
  if (isLong && !signal.aborted) await writeReliability(RELIABILITY, figuresFile, options.isQuick);
  return isPassed ? 0 : 1;
}

/** The groups of a stage. Each file has the name that it has in that stage. */
async function groupsOf({ stage, files, env }: Staged): Promise<Group[]> {
  const groups = await groupFiles(here, files);
  return groups.map((group) => ({
    name: nameIn(stage, group.name),
    files: group.files.map((file) => nameIn(stage, file)),
    env,
  }));
}

async function runFiles(
  staged: readonly Staged[],
  dataDir: string,
  costsFile: string,
  env: NodeJS.ProcessEnv,
): Promise<boolean> {
  const { signal } = interruption;
  const groups = sideBySide(await Promise.all(staged.map(groupsOf)));
  // Measurements run alone.
  const atOnce = isLong ? 1 : AT_ONCE;
  const first = await runGroups(groups, { dir: join(dataDir, "groups"), atOnce, env, signal });
  let isPassed = first.code === 0;
  const results = new Map(first.results);
  if (!isPassed && !isLong && !signal.aborted) {
    const runAlone = async (names: readonly string[], round: number): Promise<Run> => {
      process.stdout.write(`once more, each alone: ${names.join(", ")}\n`);
      const alone = names.map((name) => {
        const group = groups.find(({ files }) => files.includes(name));
        return { name, files: [name], env: group?.env ?? {} };
      });
      const again = await runGroups(alone, { dir: join(dataDir, `again-${round}`), atOnce: 1, env, signal });
      for (const [file, result] of again.results) results.set(file, result);
      return again;
    };
    const verdict = await secondChance(groups, first, runAlone);
    if (signal.aborted) return false;
    isPassed = verdict.isPassed;
    process.stdout.write(verdict.text);
    reportUnstable(verdict.unstable);
  }
  if (signal.aborted) return false;
  const costs = await readByFile<FileCost>(costsFile);
  await keepCosts(costs);
  const names = groups.flatMap(({ files }) => files);
  const reported = names.flatMap((name) => first.results.get(name) ?? []);
  process.stdout.write(slowest(reported, costs) + summary(names, results, performance.now() - beganMs));
  return isPassed;
}

function reportUnstable(lines: readonly string[]): void {
  const file = process.env[UNSTABLE_VARIABLE];
  if (file !== undefined) appendFileSync(file, lines.map((line) => `${line}\n`).join(""));
}

/** Keeps only the costs of files on one node and the packaged PostgreSQL, because `--changed` runs files that way. */
async function keepCosts(costs: ReadonlyMap<string, FileCost>): Promise<void> {
  const kept = Array.from(costs).filter(([name]) => fileOf(name) === name);
  const all = new Map([...(await readByFile<FileCost>(KNOWN_COSTS)), ...kept]);
  await writeFile(KNOWN_COSTS, [...all.values()].map((cost) => `${JSON.stringify(cost)}\n`).join(""));
}
