import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startEmbeddedPostgres } from "../src/persistence/embedded-postgres.js";
import { writeReliability } from "./faults/reliability-table.js";

/**
 * `npm test`: starts one embedded PostgreSQL for the whole run (every test file makes its own databases on it), runs
 * all test files with node:test, and takes everything down again. Arguments select files by a part of their path.
 * `--long` (`npm run test:faults`) runs the `*.long.test` files instead, one after the other since they measure, and
 * writes their figures into RELIABILITY.md; `--quick` shortens them.
 */
const here = fileURLToPath(new URL(".", import.meta.url));
const RELIABILITY = fileURLToPath(new URL("../../RELIABILITY.md", import.meta.url));
const options = process.argv.slice(2).filter((argument) => argument.startsWith("--"));
const isLong = options.includes("--long");
const isQuick = options.includes("--quick");
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const files = (await readdir(here, { recursive: true }))
  .filter((file) => file.endsWith(".test.js") && file.endsWith(".long.test.js") === isLong)
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .toSorted()
  .map((file) => join(here, file));

const dataDir = await mkdtemp(join(tmpdir(), "payinference-tests-"));
const figuresFile = join(dataDir, "figures.jsonl");
const postgres = await startEmbeddedPostgres({
  dataDir,
  log: {
    info: () => undefined,
    warn: (fields, message) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
  },
});
let exitCode = 1;
try {
  const tests = spawn(process.execPath, ["--test", `--test-concurrency=${isLong ? 1 : 2}`, ...files], {
    stdio: "inherit",
    env: {
      ...process.env,
      TEST_DATABASE_URL: postgres.adminUrl,
      ...(isLong ? { FAULTS_FIGURES_FILE: figuresFile, FAULTS_QUICK: isQuick ? "1" : "0" } : {}),
    },
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => tests.kill(signal));
  const [code] = (await once(tests, "exit")) as [number | null];
  exitCode = code ?? 1;
  if (isLong) await writeReliability(RELIABILITY, figuresFile, isQuick);
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit(exitCode);
