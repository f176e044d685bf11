/**
 * What a decision costs PostgreSQL, by table layout: `node dist/bench/layouts.js [rows per layout, default 100000] [part of a name]`.
 * Rounds of all layouts are interleaved on one embedded server; every figure is a median over rounds.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { runCopyTransaction } from "../src/platform/postgres/copy-transaction.js";
import { startEmbeddedPostgres } from "../src/platform/postgres/embedded/embedded-postgres.js";
import { idToHex } from "../src/domain/ids/ids.js";
import { inlineDocument, segments, wideJsonb, type Layout } from "./layouts/cases.js";
import { lookAtHost } from "./harness/watch-host.js";
import { createDocumentSource, type BenchRow, type DocumentSource } from "./layouts/documents.js";

const ROWS = Number(process.argv[2] ?? 100_000);
const ROUNDS = 5;
const BATCH_ROWS = 1000;
const READS = 200;
const MAX_ID = "f".repeat(32);

const ALL_LAYOUTS: readonly Layout[] = [
  wideJsonb("t_wide"),
  inlineDocument("t_inline_json", "json", "text"),
  inlineDocument("t_inline_text", "text", "binary"),
  segments("t_none_64", { chunkRows: 64, compression: "none" }),
  segments("t_pglz_64", { chunkRows: 64, compression: "pglz" }),
  segments("t_deflate_64", { chunkRows: 64, compression: "deflate" }),
  segments("t_brotli_16", { chunkRows: 16, compression: "brotli" }),
  segments("t_brotli_32", { chunkRows: 32, compression: "brotli" }),
  segments("t_brotli_64", { chunkRows: 64, compression: "brotli" }),
  segments("t_brotli_128", { chunkRows: 128, compression: "brotli" }),
  segments("t_brotli_256", { chunkRows: 256, compression: "brotli" }),
  segments("t_brotli_32_text", { chunkRows: 32, compression: "brotli", copyFormat: "text" }),
  segments("t_brotli_32_order_text", { chunkRows: 32, compression: "brotli", orderIndex: "text" }),
  segments("t_brotli_32_order_pair", { chunkRows: 32, compression: "brotli", orderIndex: "pair" }),
  segments("t_brotli_32_order_btree", { chunkRows: 32, compression: "brotli", orderIndex: "btree" }),
  segments("t_brotli_32_no_order", { chunkRows: 32, compression: "brotli", orderIndex: "none" }),
  segments("t_brotli_32_action", { chunkRows: 32, compression: "brotli", actionIndex: "all" }),
  segments("t_brotli_32_routed", { chunkRows: 32, compression: "brotli", partitioned: true }),
];
const LAYOUTS = ALL_LAYOUTS.filter(({ name }) => name.includes(process.argv[3] ?? ""));

interface Round {
  postgresMicros: number;
  nodeMicros: number;
}

/** CPU of every process of the server, in nanoseconds. */
async function serverCpuNanos(postmaster: number): Promise<number> {
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, "utf8");
  const pids = [postmaster, ...children.trim().split(/\s+/).map(Number)];
  const times = await Promise.all(
    pids.map(async (pid) =>
      Number((await readFile(`/proc/${pid}/schedstat`, "utf8").catch(() => "0")).split(" ")[0]),
    ),
  );
  return times.reduce((sum, time) => sum + time, 0);
}

async function writeRound(
  client: pg.Client,
  postmaster: number,
  layout: Layout,
  rows: readonly BenchRow[],
): Promise<Round> {
  const serverBefore = await serverCpuNanos(postmaster);
  let nodeMicros = 0;
  for (let at = 0; at < rows.length; at += BATCH_ROWS) {
    const startMs = performance.now();
    const steps = layout.encode(rows.slice(at, at + BATCH_ROWS));
    nodeMicros += (performance.now() - startMs) * 1000;
    await runCopyTransaction(client, steps);
  }
  const serverMicros = ((await serverCpuNanos(postmaster)) - serverBefore) / 1000;
  return { postgresMicros: serverMicros / rows.length, nodeMicros: nodeMicros / rows.length };
}

/** Median milliseconds of one question asked `READS` times, the documents taken apart as a reader would. */
async function readMs(
  client: pg.Client,
  name: string,
  text: string,
  values: readonly (readonly string[])[],
  decode: Layout["decode"],
): Promise<number> {
  const times: number[] = [];
  for (const value of values) {
    const startMs = performance.now();
    const { rows } = await client.query({ name, text, values: [...value] });
    let last: Buffer | undefined;
    let docs: Buffer | undefined;
    for (const row of rows as { doc?: Buffer; docs?: Buffer; doc_offset?: number; doc_bytes?: number }[]) {
      if (row.docs === undefined || decode === undefined) continue;
      if (last === undefined || !row.docs.equals(last)) docs = decode((last = row.docs));
      docs?.subarray(row.doc_offset ?? 0, (row.doc_offset ?? 0) + (row.doc_bytes ?? 0));
    }
    times.push(performance.now() - startMs);
    if (rows.length === 0) throw new Error(`${name}: no rows`);
  }
  return median(times);
}

async function measureReads(
  client: pg.Client,
  layout: Layout,
  index: number,
  sample: readonly BenchRow[],
): Promise<number[]> {
  const by = (value: (row: BenchRow) => string): string[][] =>
    sample.map((row) => [idToHex(row.workspaceId), value(row)]);
  return [
    await readMs(
      client,
      `detail_${index}`,
      layout.detailSql,
      by((row) => idToHex(row.decisionId)),
      layout.decode,
    ),
    await readMs(
      client,
      `newest_${index}`,
      layout.newestPageSql,
      by(() => MAX_ID),
      layout.decode,
    ),
    await readMs(
      client,
      `action_${index}`,
      layout.actionPageSql,
      by(() => MAX_ID),
      layout.decode,
    ),
    await readMs(
      client,
      `order_${index}`,
      layout.orderSql,
      by((row) => row.orderId),
      layout.decode,
    ),
  ];
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

async function diskBytes(client: pg.Client, layout: Layout): Promise<number> {
  const tables = [...layout.createTables.matchAll(/create table (\w+)/g)].map((match) => match[1] as string);
  const { rows } = await client.query<{ bytes: string }>(
    "select sum(pg_total_relation_size(t::regclass)) as bytes from unnest($1::text[]) as t",
    [tables],
  );
  return Number(rows[0]?.bytes);
}

async function main(source: DocumentSource): Promise<void> {
  // Nothing is judged here; who reads the table should know what stood beside it.
  console.log(lookAtHost().line);
  const dataDir = await mkdtemp(join(tmpdir(), "layouts-"));
  const log = {
    info: () => undefined,
    warn: (fields: object, message: string) => console.error(message, fields),
  };
  const server = await startEmbeddedPostgres({ dataDir, log });
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    for (const layout of LAYOUTS) await client.query(layout.createTables);
    const rounds = new Map<Layout, Round[]>(LAYOUTS.map((layout) => [layout, []]));
    const sample: BenchRow[] = [];
    let docBytes = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const rows = source.rows(ROWS / ROUNDS);
      docBytes += rows.reduce((sum, row) => sum + row.doc.length, 0);
      for (let i = 0; i < READS / ROUNDS; i++)
        sample.push(rows[Math.floor((i * rows.length * ROUNDS) / READS)] as BenchRow);
      // A round that starts elsewhere each time: none is always the one after the costliest.
      for (let i = 0; i < LAYOUTS.length; i++) {
        const layout = LAYOUTS[(i + round * 3) % LAYOUTS.length] as Layout;
        rounds.get(layout)?.push(await writeRound(client, server.pid(), layout, rows));
      }
      process.stderr.write(`round ${round + 1}/${ROUNDS}\n`);
    }
    await client.query("vacuum analyze");
    console.log(
      `${ROWS} decisions per layout, ${Math.round(docBytes / ROWS)} bytes each, batches of ${BATCH_ROWS}, medians of ${ROUNDS} rounds`,
    );
    console.log(
      "| layout | Postgres µs | spread | Node µs | sum µs | bytes | detail ms | newest 25 ms | rare action 25 ms | order ms |",
    );
    console.log("|---|---|---|---|---|---|---|---|---|---|");
    for (const [index, layout] of LAYOUTS.entries()) {
      const measured = rounds.get(layout) ?? [];
      const postgres = measured.map((round) => round.postgresMicros);
      const [postgresMicros, nodeMicros] = [
        median(postgres),
        median(measured.map((round) => round.nodeMicros)),
      ];
      const spread = `${Math.min(...postgres).toFixed(1)}–${Math.max(...postgres).toFixed(1)}`;
      const bytes = Math.round((await diskBytes(client, layout)) / ROWS);
      const reads = (await measureReads(client, layout, index, sample)).map((ms) => ms.toFixed(2));
      const sum = (postgresMicros + nodeMicros).toFixed(1);
      console.log(
        `| ${layout.name} | ${postgresMicros.toFixed(1)} | ${spread} | ${nodeMicros.toFixed(1)} | ${sum} | ${bytes} | ${reads.join(" | ")} |`,
      );
    }
  } finally {
    await client.end();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main(createDocumentSource(20_261_120));
