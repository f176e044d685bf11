import assert from "node:assert/strict";
import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import { temporaryDir } from "../../support/postgres/postgres.js";
import { decisionBody, send, startTestService } from "../../support/service/service.js";

/** Of a build with lmdb-js 3, whose list of free pages the service must not write on. */
const OLD_ENVIRONMENT = new URL("../../../../test/support/rows/journal-of-lmdb-3.mdb.br", import.meta.url);

it("a start on the DATA_DIR of an older build renews what LMDB holds there before anything writes to it", async () => {
  const dataDir = await temporaryDir();
  // As the replica: what the service writes to all the time, and never drains.
  await mkdir(join(dataDir, "replica"));
  await writeFile(
    join(dataDir, "replica", "data.mdb"),
    brotliDecompressSync(await readFile(OLD_ENVIRONMENT)),
  );
  const service = await startTestService({ DATA_DIR: dataDir });
  await Promise.all(["journal", "replica"].map((name) => access(join(dataDir, name, "lmdb-2"))));
  const { status } = await send(service, "POST", "/v1/decision", { body: decisionBody() });
  assert.equal(status, 200);
});
