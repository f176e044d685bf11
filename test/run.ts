import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startEmbeddedPostgres } from "../src/persistence/embedded-postgres.js";

/**
 * `npm test`: starts one embedded PostgreSQL for the whole run (every test file makes its own databases on it), runs
 * all test files with node:test, and takes everything down again. Arguments select files by a part of their path;
 * `*.long.test.ts`, which take minutes, run only with `--long`.
 */
const here = fileURLToPath(new URL(".", import.meta.url));
const wanted = process.argv.slice(2).filter((argument) => argument !== "--long");
const isLong = process.argv.includes("--long");
const files = (await readdir(here, { recursive: true }))
  .filter((file) => file.endsWith(".test.js") && (isLong || !file.endsWith(".long.test.js")))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .toSorted()
  .map((file) => join(here, file));

const dataDir = await mkdtemp(join(tmpdir(), "payinference-tests-"));
const postgres = await startEmbeddedPostgres({
  dataDir,
  log: {
    info: () => undefined,
    warn: (fields, message) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
  },
});
let exitCode = 1;
try {
  const tests = spawn(process.execPath, ["--test", "--test-concurrency=2", ...files], {
    stdio: "inherit",
    env: { ...process.env, TEST_DATABASE_URL: postgres.adminUrl },
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => tests.kill(signal));
  const [code] = (await once(tests, "exit")) as [number | null];
  exitCode = code ?? 1;
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit(exitCode);
