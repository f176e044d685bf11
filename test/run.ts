import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { writeReliability } from "./faults/reliability-table.js";
import { groupFiles, type Group } from "./groups.js";
import { changedFiles, reachedBy } from "./runner/changed.js";
import { readResults, slowest } from "./runner/results.js";
import { secondChance } from "./runner/second-chance.js";
import { createEdgeCertificate } from "./support/edge/edge-certificate.js";
import { noCache, noEdge } from "./support/machine/installed.js";
import { DISK_VARIABLE, makeTestDir } from "./support/machine/test-dir.js";
import { makeTemplate, relaxServer, TEMPLATE_VARIABLE } from "./support/postgres/test-server.js";
import { POSTGRES_BIN_VARIABLE, startTestPostgres } from "./support/postgres/postgres-server.js";
import { TWO_NODES_VARIABLE } from "./support/two-nodes-mode.js";
import { postgresBinaries } from "./support/postgres/postgres-versions.js";

/**
 * `npm test`: starts one embedded PostgreSQL for the whole run (every test file makes its own databases on it), runs
 * all test files with node:test, and takes everything down again. Arguments select files by a part of their path.
 * `--installed` (`npm run test:installed`) runs the files that need what cannot be embedded, instead of the others.
 * `--postgres=15` (part of it) runs the files whose statements differ most on another major version of PostgreSQL.
 * `--two-nodes` (part of it) runs the files of the service's behaviour on two nodes behind the edge, as one service.
 * `--changed` runs the files whose imports reach what differs from `main`, which takes seconds; what changes the service
 * that tests start reaches all of those, and is left to the whole run.
 * Files that fail are run once more, each with nothing beside it: see test/runner/second-chance.ts.
 * `--long` (`npm run test:faults`) runs the `*.long.test` files instead, one after the other since they measure, and
 * writes their figures into RELIABILITY.md; `--quick` shortens them.
 */
const here = fileURLToPath(new URL(".", import.meta.url));
const RELIABILITY = fileURLToPath(new URL("../../RELIABILITY.md", import.meta.url));
const options = process.argv.slice(2).filter((argument) => argument.startsWith("--"));
const isLong = options.includes("--long");
const isQuick = options.includes("--quick");
const isInstalled = options.includes("--installed");
const isChanged = options.includes("--changed");
/** These need a browser, a Valkey or Redis, or an edge proxy, which a machine may not have. */
const INSTALLED = [
  "browser/",
  "nodes/",
  "attacks/edge-",
  "faults/cache/cache-outage.",
  "service/docs/docs-page.",
  "service/postgres/postgres-refused.",
];
/** What writes and reads PostgreSQL: the writer, outcomes, the log and its figures, and all that is administered. */
const OF_POSTGRES = [
  "faults/database/database-outage.",
  "faults/database/journal-redelivery.",
  "faults/database/outcome-outage.",
  "faults/database/webhook-outage.",
  "faults/database/writes-refused.",
  "service/account",
  "service/alerts/alert-sync.",
  "service/analytics/analytics",
  "service/api-keys/api-keys.",
  "service/audit/audit-log.",
  "service/catalog-notifications.",
  "service/decide/decision-",
  "service/decisions/decision-",
  "service/reviews/decision-",
  "service/decide/normal-amount.",
  "service/pricing/observed-pricing.",
  "service/outcomes/outcomes.",
  "service/platform-admin/platform-admin.",
  "service/policies/policies.",
  "service/policies/policy-backtest.",
  "service/postgres/postgres-catalog.",
  "service/postgres/postgres-migrate.",
  "service/writer/postgres-writer.",
  "service/decisions/pric",
  "service/pricing/pric",
  "service/overrides/provider-",
  "service/webhooks/provider-",
  "service/decisions/reads.",
  "service/analytics/rollup-",
  "service/writer/rollup-",
  "service/decisions/row-",
  "service/postgres/row-",
  "service/team/team.",
  "service/postgres/tenant-",
  "service/analytics/usage-analytics.",
];
/** What is the same however many nodes there are: decisions, outcomes, policies and provider health. */
const OF_TWO_NODES = [
  "nodes/two-as-one.",
  "service/api-keys/api-keys.",
  "service/decisions/decision-aggregate.",
  "service/decisions/decision-detail.",
  "service/decisions/decision-explanation.",
  "service/decide/decision-latency.",
  "service/decisions/decision-list.",
  "service/decisions/decision-replay.",
  "service/reviews/decision-review.",
  "service/decide/decision.",
  "service/decide/engine-",
  "service/provider-health/health",
  "service/outcome",
  "service/policies/policies.",
  "service/policies/policy-backtest.",
  "service/policies/policy-if-match.",
  "service/policies/policy-simulate.",
  "service/overrides/provider-overrides.",
];
const isTwoNodes = options.includes("--two-nodes");
const major = options.find((option) => option.startsWith("--postgres="))?.slice("--postgres=".length);
const startsWithOneOf = (file: string, parts: readonly string[]): boolean =>
  parts.some((part) => file.startsWith(part));
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
let files = (await readdir(here, { recursive: true }))
  .filter((file) => file.endsWith(".test.js") && file.endsWith(".long.test.js") === isLong)
  .filter((file) =>
    wanted.length === 0
      ? isLong ||
        (isTwoNodes
          ? startsWithOneOf(file, OF_TWO_NODES)
          : major === undefined
            ? startsWithOneOf(file, INSTALLED) === isInstalled
            : startsWithOneOf(file, OF_POSTGRES))
      : wanted.some((part) => file.includes(part)),
  )
  .toSorted();
if (isChanged) {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const { files: reached, throughService } = reachedBy(changedFiles(root), root, files);
  process.stderr.write(
    `${reached.length} test files import what was changed; ${throughService.length} more start a service that does\n`,
  );
  if (reached.length === 0) process.exit(0);
  files = reached;
}
if (files.length === 0) {
  // Given no file, node:test would look for its own.
  process.stderr.write(`no test file matches ${wanted.join(", ")}\n`);
  process.exit(1);
}

/** node:test starts a process for each file it is given: one file for each group, in the order of the groups. */
async function writeGroups(dir: string, groups: readonly Group[]): Promise<string[]> {
  await mkdir(dir);
  const together = pathToFileURL(join(here, "support/together.js")).href;
  const paths: string[] = [];
  for (const [index, group] of groups.entries()) {
    const members = group.files.map((name) => ({ name, url: pathToFileURL(join(here, name)).href }));
    const path = join(dir, `${String(index).padStart(3, "0")}-${group.name.replaceAll("/", "-")}.mjs`);
    await writeFile(
      path,
      `import { runTogether } from ${JSON.stringify(together)};\nrunTogether(${JSON.stringify(members)});\n`,
    );
    paths.push(path);
  }
  return paths;
}

/** What is measured is alone; a browser and three nodes fill two cores by themselves. */
const concurrency = isLong ? 1 : isInstalled || isTwoNodes ? 2 : 3;

const missing = isTwoNodes ? noEdge() || noCache() : false;
if (missing !== false) {
  process.stderr.write(`skipped: ${missing}, so nothing is tested on two nodes\n`);
  process.exit(0);
}

// What is measured is measured on a disk.
const dataDir = isLong ? await mkdtemp(join(tmpdir(), "payinference-tests-")) : await makeTestDir();
if (major !== undefined) {
  const found = await postgresBinaries(major, dataDir);
  if ("missing" in found) {
    process.stderr.write(`skipped: ${found.missing}, so nothing is tested on that version\n`);
    await rm(dataDir, { recursive: true, force: true });
    process.exit(0);
  }
  process.stderr.write(`the tests' PostgreSQL is ${found.binDir}\n`);
  process.env[POSTGRES_BIN_VARIABLE] = found.binDir;
}
/** What the processes trust is read when they start. */
async function twoNodesEnvironment(): Promise<Record<string, string>> {
  const { file, certificateFile } = await createEdgeCertificate(dataDir);
  return { [TWO_NODES_VARIABLE]: file, NODE_EXTRA_CA_CERTS: certificateFile };
}

/** One process of node:test for each path; resolves to its exit code and to what each file came to. */
async function runGroups(
  paths: readonly string[],
  atOnce: number,
  env: NodeJS.ProcessEnv,
  name: string,
): Promise<{ code: number; results: Awaited<ReturnType<typeof readResults>> }> {
  const resultsFile = join(dataDir, `${name}.jsonl`);
  const tests = spawn(
    process.execPath,
    [
      "--test",
      "--test-reporter=spec",
      "--test-reporter-destination=stdout",
      `--test-reporter=${pathToFileURL(join(here, "runner/reporter.js")).href}`,
      `--test-reporter-destination=${resultsFile}`,
      `--test-concurrency=${atOnce}`,
      ...paths,
    ],
    { stdio: "inherit", env },
  );
  const stop = (signal: NodeJS.Signals): void => {
    interrupted = true;
    tests.kill(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
  const [code] = (await once(tests, "exit")) as [number | null];
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, stop);
  return { code: code ?? 1, results: await readResults(resultsFile) };
}

let interrupted = false;
const figuresFile = join(dataDir, "figures.jsonl");
const postgres = await startTestPostgres({
  dataDir,
  log: {
    info: () => undefined,
    warn: (fields, message) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
  },
});
let exitCode = 1;
try {
  // What is measured is measured on a server that does its work.
  if (!isLong) await relaxServer(postgres.adminUrl);
  const migrationsDir = fileURLToPath(new URL("../../migrations", import.meta.url));
  const template = await makeTemplate(postgres.adminUrl, migrationsDir);
  const groups = await groupFiles(here, files);
  const env = {
    ...process.env,
    TEST_DATABASE_URL: postgres.adminUrl,
    [TEMPLATE_VARIABLE]: template,
    ...(isTwoNodes ? await twoNodesEnvironment() : {}),
    ...(isLong ? {} : { TMPDIR: dataDir, [DISK_VARIABLE]: tmpdir() }),
    ...(isLong ? { FAULTS_FIGURES_FILE: figuresFile, FAULTS_QUICK: isQuick ? "1" : "0" } : {}),
  };
  const first = await runGroups(
    await writeGroups(join(dataDir, "groups"), groups),
    concurrency,
    env,
    "first",
  );
  exitCode = first.code;
  process.stdout.write(slowest(first.results.values()));
  if (exitCode !== 0 && !isLong && !interrupted) {
    const again = await secondChance(groups, first.results, async (paths, round) => {
      process.stdout.write(`once more, each alone: ${paths.join(" ")}\n`);
      const alone = paths.map((file) => ({ name: file, files: [file] }));
      return runGroups(await writeGroups(join(dataDir, `again-${round}`), alone), 1, env, `again-${round}`);
    });
    process.stdout.write(again.text);
    exitCode = again.isPassed && !interrupted ? 0 : 1;
  }
  if (isLong) await writeReliability(RELIABILITY, figuresFile, isQuick);
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit(exitCode);
