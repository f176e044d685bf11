import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from "../../../src/platform/postgres/embedded/embedded-postgres.js";
import {
  clusterProcesses,
  servesCluster,
} from "../../../src/platform/postgres/embedded/cluster-processes.js";
import { migrate } from "../../../src/platform/postgres/migrate.js";
import { createPool } from "../../../src/platform/postgres/pool.js";
import { idFromHex } from "../../../src/domain/ids/ids.js";
import { eventually } from "../../support/waiting/eventually.js";
import { within } from "../../../src/platform/timing/within.js";
import { isStarved, startNoiseMeter } from "../../support/waiting/host-noise.js";
import { decisionsOnly, decisionRows, type TextRow } from "../../support/rows/decision-rows.js";
import {
  background,
  NO_SCHEDULING,
  type Scheduling,
  schedulingOf,
} from "../../support/machine/scheduling.js";
import { MIGRATIONS_DIR, SILENT_LOG, temporaryDir } from "../../support/postgres/postgres.js";

const MODULE = fileURLToPath(
  new URL("../../../src/platform/postgres/embedded/embedded-postgres.js", import.meta.url),
);

async function ask(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: "array" })).rows[0]?.[0];
  } finally {
    await client.end();
  }
}

/** Starts the server from its own process, and kills that process once the server is up. */
async function startAndDie(dataDir: string): Promise<{ url: string; pid: number }> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", startScript(dataDir)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [text] = (await once(child.stdout, "data")) as [Buffer];
  child.kill("SIGKILL");
  await once(child, "exit");
  return JSON.parse(text.toString()) as { url: string; pid: number };
}

/** A script that starts the server, prints its address, and keeps running. */
const startScript = (
  dataDir: string,
): string => `import { startEmbeddedPostgres } from ${JSON.stringify(MODULE)};
    const log = { info() {}, warn() {} };
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log });
    process.stdout.write(JSON.stringify({ url: server.url, pid: server.pid() }));
    setInterval(() => {}, 1000);`;

const isLinux = process.platform === "linux";

async function freeze(dataDir: string): Promise<void> {
  const ids = await clusterProcesses(join(dataDir, "postgres"));
  assert.ok(ids.length > 3);
  for (const id of ids) process.kill(id, "SIGSTOP");
}

let template: Promise<string> | undefined;

/** Copies a DATA_DIR with a finished cluster, because initdb takes a second of CPU. */
async function clusterCopy(): Promise<string> {
  template ??= (async () => {
    const dataDir = await temporaryDir();
    await (await startEmbeddedPostgres({ dataDir, log: SILENT_LOG })).stop();
    return dataDir;
  })();
  const dataDir = await temporaryDir();
  // Like cp as root, this keeps the server's own user as owner.
  await promisify(execFile)("cp", ["-a", join(await template, "postgres"), dataDir]);
  return dataDir;
}

async function withServer(
  options: { dataDir?: string; onDown?: () => void; onUp?: () => void },
  use: (server: EmbeddedPostgres, dataDir: string) => Promise<void>,
): Promise<void> {
  const dataDir = options.dataDir ?? (await clusterCopy());
  const server = await startEmbeddedPostgres({ ...options, dataDir, log: SILENT_LOG });
  // The supervised server does not keep this process alive, so a timer does.
  const keepAlive = setInterval(() => undefined, 1_000);
  try {
    await use(server, dataDir);
  } finally {
    await server.stop();
    clearInterval(keepAlive);
  }
}

/**
 * The scheduling of a process. Empty if the process has ended since it was listed. The process of a short connection
 * may do so.
 */
function schedulingIfAlive(directory: string): Scheduling[] {
  try {
    return [schedulingOf(directory)];
  } catch (error) {
    // A process may end between the opening and the reading of its files. Such a process counts as gone.
    if (["ENOENT", "ESRCH"].includes(String((error as NodeJS.ErrnoException).code))) return [];
    throw error;
  }
}

describe("embedded PostgreSQL", () => {
  it(
    "steps back, with all its processes, behind the threads that answer merchants",
    { skip: NO_SCHEDULING },
    () =>
      withServer({}, async ({ pid }) => {
        const children = await readFile(`/proc/${pid()}/task/${pid()}/children`, "latin1");
        const found = [pid(), ...children.trim().split(" ")].flatMap((id) =>
          schedulingIfAlive(`/proc/${id}`),
        );
        assert.ok(found.length > 3, "the server has processes of its own");
        for (const one of found) assert.deepEqual(one, background());
      }),
  );

  it("SET-2: serves UTF-8 to a non-superuser on a private socket, and keeps its data", async () => {
    const dataDir = await temporaryDir();
    await withServer({ dataDir }, async ({ url }) => {
      assert.equal(await ask(url, "select rolsuper from pg_roles where rolname = current_user"), false);
      assert.equal(
        await ask(
          url,
          "select upper('é') || pg_encoding_to_char(encoding) from pg_database where datname = current_database()",
        ),
        "ÉUTF8",
      );
      for (const setting of ["fsync", "full_page_writes", "synchronous_commit", "autovacuum"]) {
        assert.equal(await ask(url, `show ${setting}`), "on");
      }
      assert.equal(await ask(url, "show listen_addresses"), "");
      // A server that died is back within 10 s only if it does not sync each of its files.
      if (isLinux) assert.equal(await ask(url, "show recovery_init_sync_method"), "syncfs");
      const socketDir = new URL(url.replace("@/", "@localhost/")).searchParams.get("host") as string;
      assert.equal((await stat(socketDir)).mode & 0o777, 0o700);
      await ask(url, "create table kept as select 42 as answer");
    });
    await withServer({ dataDir }, async ({ url }) =>
      assert.equal(await ask(url, "select answer from kept"), 42),
    );
  });

  it("refuses a DATA_DIR that a live process uses", async () => {
    await withServer({}, async (_server, dataDir) => {
      await assert.rejects(startEmbeddedPostgres({ dataDir, log: SILENT_LOG }), /in use by process/);
    });
  });

  it("OPS-12: abandons a start that is stopped, and leaves nothing behind", async () => {
    for (const dataDir of [await temporaryDir(), await clusterCopy()]) {
      for (const delayMs of [0, 20, 60, 90, 120, 150, 200, 400]) {
        const starting = new AbortController();
        const start = startEmbeddedPostgres({ dataDir, log: SILENT_LOG, stopping: starting.signal });
        setTimeout(() => starting.abort(), delayMs);
        await start.then(
          (server) => server.stop(),
          (error: Error) => assert.equal(error.name, "AbortError", `${delayMs} ms: ${error.message}`),
        );
        assert.equal(await stat(join(dataDir, "postgres.owner")).catch(() => null), null);
        for (const name of ["postgres", "postgres.new"])
          assert.deepEqual(await clusterProcesses(join(dataDir, name)), [], `${name}, ${delayMs} ms`);
      }
    }
  });

  it(
    "ends, after a while, a server whose supervisor was killed while it started",
    { skip: !isLinux },
    async () => {
      const dataDir = await clusterCopy();
      const dir = join(dataDir, "postgres");
      // True once the server has a process of its own, long before the server is ready.
      const isBegun = async (): Promise<boolean> => (await clusterProcesses(dir)).length > 0;
      const child = spawn(process.execPath, ["--input-type=module", "-e", startScript(dataDir)], {
        stdio: ["ignore", "ignore", "inherit"],
      });
      while (!(await isBegun())) await sleep(1);
      child.kill("SIGKILL");
      await once(child, "exit");
      const deadlineMs = performance.now() + 120_000;
      while ((await isBegun()) && performance.now() < deadlineMs) await sleep(100);
      assert.deepEqual(await clusterProcesses(dir), []);
    },
  );

  it("takes over the server of a killed process", async () => {
    const takeOver = async () => {
      const dataDir = await clusterCopy();
      const orphan = await startAndDie(dataDir);
      let found = { url: "", pid: 0 };
      await withServer({ dataDir }, async (server) => {
        found = { url: server.url, pid: server.pid() };
        assert.equal(await ask(server.url, "select 1"), 1);
      });
      assert.equal(await servesCluster(orphan.pid, join(dataDir, "postgres")), false);
      return { orphan, found };
    };
    const meter = startNoiseMeter();
    let { orphan, found } = await takeOver();
    // On a starved host the server may not answer in time. It is then replaced, and the test tries once more.
    if (isStarved(meter.stop()) && found.pid !== orphan.pid) ({ orphan, found } = await takeOver());
    assert.deepEqual(found, orphan);
  });

  it("SET-2: restarts a taken-over server that dies", async () => {
    const dataDir = await clusterCopy();
    await startAndDie(dataDir);
    let onUp = (): void => undefined;
    const up = new Promise<void>((resolve) => (onUp = resolve));
    await withServer({ dataDir, onUp }, async (server) => {
      process.kill(server.pid(), "SIGKILL");
      await up;
      assert.equal(await ask(server.url, "select 1"), 1);
    });
  });

  it("starts after server and supervisor were both killed", async () => {
    const dataDir = await clusterCopy();
    const orphan = await startAndDie(dataDir);
    process.kill(orphan.pid, "SIGKILL");
    await withServer({ dataDir }, async ({ url }) => assert.equal(await ask(url, "select 1"), 1));
  });

  it("starts after a killed server whose child still runs a query", async () => {
    const dataDir = await clusterCopy();
    const orphan = await startAndDie(dataDir);
    const client = new pg.Client({ connectionString: orphan.url });
    client.on("error", () => undefined);
    await client.connect();
    // A busy child does not notice that its postmaster has ended.
    const busy = client.query(`do $$ declare began timestamptz := clock_timestamp();
      begin while clock_timestamp() < began + interval '1.5 s' loop end loop; end $$`);
    busy.catch(() => undefined);
    await sleep(200);
    process.kill(orphan.pid, "SIGKILL");
    await withServer({ dataDir }, async ({ url }) => assert.equal(await ask(url, "select 1"), 1));
    await client.end().catch(() => undefined);
  });

  it("starts in place of a frozen server", { skip: !isLinux }, async () => {
    const dataDir = await clusterCopy();
    await startAndDie(dataDir);
    await freeze(dataDir);
    await withServer({ dataDir }, async ({ url }) => assert.equal(await ask(url, "select 1"), 1));
  });

  it("starts after a killed server with frozen children", { skip: !isLinux }, async () => {
    const dataDir = await clusterCopy();
    const orphan = await startAndDie(dataDir);
    await freeze(dataDir);
    process.kill(orphan.pid, "SIGKILL");
    await withServer({ dataDir }, async ({ url }) => assert.equal(await ask(url, "select 1"), 1));
  });

  it("stops a frozen server in order, so that nothing needs recovery", { skip: !isLinux }, async () => {
    const dataDir = await clusterCopy();
    await withServer({ dataDir }, async (server) => {
      await freeze(dataDir);
      await server.stop();
    });
    assert.deepEqual(await clusterProcesses(join(dataDir, "postgres")), []);
    assert.match(await readFile(join(dataDir, "postgres.log"), "utf8"), /database system is shut down\s*$/);
  });

  it("leaves no server behind when it is stopped at any moment of a restart", async () => {
    const dataDir = await clusterCopy();
    for (const afterMs of [0, 60, 80, 120]) {
      let onDown = (): void => undefined;
      const down = new Promise<void>((resolve) => (onDown = resolve));
      let killed: number[] = [];
      await withServer({ dataDir, onDown }, async (server) => {
        killed = await clusterProcesses(join(dataDir, "postgres"));
        process.kill(server.pid(), "SIGKILL");
        await down;
        await sleep(afterMs);
        const stopped = server.stop().then(() => "stopped");
        assert.equal(await within(stopped, 20_000, "hangs"), "stopped", `${afterMs} ms after the death`);
      });
      const left = await clusterProcesses(join(dataDir, "postgres"));
      assert.deepEqual(
        left.filter((pid) => !killed.includes(pid)),
        [],
      );
      // A child of the killed server ends as soon as it notices that its parent is gone.
      await eventually(async () => assert.deepEqual(await clusterProcesses(join(dataDir, "postgres")), []));
    }
  });

  it("leaves no server and no socket behind when stopped", async () => {
    let pid = 0;
    await withServer({}, async (server, dataDir) => {
      pid = server.pid();
      await Promise.all([server.stop(), server.stop()]);
      await assert.rejects(stat(join(dataDir, "postgres", "postmaster.pid")), /ENOENT/);
    });
    assert.throws(() => process.kill(pid, 0), /ESRCH/);
  });

  it("SET-2: neither loses nor doubles a decision when it is killed during writes", async () => {
    const events: string[] = [];
    const options = { onDown: () => events.push("down"), onUp: () => events.push("up") };
    await withServer(options, async (server) => {
      await migrate(server.url, MIGRATIONS_DIR);
      const pool = createPool({
        connectionString: server.url,
        connectionsMax: 2,
        statementTimeoutMs: 10_000,
        applicationName: "t",
      });
      try {
        const writer = createDecisionWriter(pool, { nodeId: "node" });
        const batches = Array.from({ length: 60 }, () => decisionRows(300));
        const killAt = new Set([10, 25, 40]);
        for (
          let position = 0;
          position < batches.length;
          position = await writer.position().catch(() => position)
        ) {
          const writing = writer.write(decisionsOnly(batches[position] as TextRow[]), position + 1);
          if (killAt.delete(position)) process.kill(server.pid(), "SIGKILL");
          await writing.catch(() => undefined);
        }
        const { rows } = await pool.query<{ decision_id: string }>(
          "select decision_id from decisions order by decision_id",
        );
        assert.deepEqual(
          rows.map((row) => idFromHex("dec", row.decision_id)),
          batches
            .flat()
            .map((row) => row.decisionId)
            .toSorted(),
        );
        assert.deepEqual(events, ["down", "up", "down", "up", "down", "up"]);
      } finally {
        await pool.end();
      }
    });
  });
});
