import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { closeLater } from "../../support/closing.js";
import { openPool, SILENT_LOG, temporaryDir } from "../../support/postgres/postgres.js";
import { startTestPostgres } from "../../support/postgres/postgres-server.js";
import { postgresBinaries } from "../../support/postgres/postgres-versions.js";
import { createServiceProcess } from "../../support/service/service-process.js";

describe("a PostgreSQL of any other version stops the start", () => {
  it("SET-3: it logs one line that names both versions, and creates nothing in the database", async (t) => {
    const found = await postgresBinaries("14", await temporaryDir());
    if ("missing" in found) return t.skip(found.missing);
    const server = await startTestPostgres({ dataDir: await temporaryDir(), log: SILENT_LOG }, found.binDir);
    closeLater(() => server.stop());
    const service = await createServiceProcess(await temporaryDir(), { DATABASE_URL: server.url });
    assert.equal(await service.end(), 1);
    assert.match(
      service.log(),
      /^payinference: PostgreSQL cannot be used: the server is version 14\.\d+, and versions 15 to 18 are supported\n$/,
    );
    const { rows } = await openPool(server.url).query("select from pg_tables where schemaname = 'public'");
    assert.equal(rows.length, 0);
  });
});
