import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { temporaryDir } from "../../support/postgres/postgres.js";
import { createServiceProcess, type ServiceProcess } from "../../support/service/service-process.js";
import { decisionBody } from "../../support/service/service.js";

async function decide(service: ServiceProcess, key: string, order: number): Promise<string> {
  const response = await fetch(`${service.url}/v1/decision`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify(decisionBody({ order_id: `order_${order}` })),
  });
  assert.equal(response.status, 200);
  return ((await response.json()) as { decision_id: string }).decision_id;
}

describe("DUR-16: a copy of a stopped DATA_DIR", () => {
  it("DUR-16: starts elsewhere with all that the original had", async () => {
    const original = await createServiceProcess(join(await temporaryDir(), "data"), {});
    await original.untilStatus("/ready", 200);
    const key = await original.key();
    const ids: string[] = [];
    for (let order = 0; order < 20; order++) ids.push(await decide(original, key, order));
    assert.equal(await original.end("SIGTERM"), 0);

    const dir = join(await temporaryDir(), "copy");
    // Under root the server's files belong to another user. The copy must have the same owner.
    await promisify(execFile)("cp", ["-a", original.dataDir, dir]);
    const copy = await createServiceProcess(dir, {});
    await copy.untilStatus("/ready", 200);
    assert.equal(await copy.key(), key);
    for (const id of ids) {
      const { status } = await fetch(`${copy.url}/v1/decisions/${id}`, { headers: { "x-api-key": key } });
      assert.equal(status, 200, id);
    }
    assert.ok((await decide(copy, key, 20)) > (ids.at(-1) as string));
    assert.equal(await copy.end("SIGTERM"), 0);
  });
});
