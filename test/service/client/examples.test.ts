import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { signedHeaders } from "../../../src/features/events/sender/sign-event.js";
import { freePort } from "../../support/machine/free-port.js";
import { untilPasses } from "../../support/waiting/eventually.js";
import { inOneMinute } from "../../support/waiting/one-minute.js";
import { eventually, send, startTestService, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { createKey, createWorkspace, publish } from "../../support/people/tenants.js";

const ROOT = new URL("../../../../", import.meta.url);
const run = promisify(execFile);

let service: RunningService;
let key: string;
before(async () => {
  service = await sharedTestService();
  key = await createKey(service.pool, await createWorkspace(service));
});

/** Runs an example as its first lines say. Resolves to its output. */
async function runExample(
  file: string,
  url = service.url,
  apiKey = key,
  { env: more = {}, signal }: { env?: Readonly<Record<string, string>>; signal?: AbortSignal } = {},
): Promise<string> {
  const path = (relative: string): string => fileURLToPath(new URL(relative, ROOT));
  const [command, argument] = file.endsWith(".sh")
    ? ["bash", path(`examples/${file}`)]
    : [process.execPath, path(`dist/examples/${file.replace(/\.ts$/, ".js")}`)];
  const env = { ...process.env, PAYINFERENCE_URL: url, PAYINFERENCE_KEY: apiKey, ...more };
  const { stdout } = await run(command, [argument], {
    env,
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: Error & { stdout: string }) => {
    // A server runs until it is stopped.
    if (error.name === "AbortError") return error;
    throw error;
  });
  return stdout;
}

describe("examples: run unchanged", () => {
  it("curl: makes a decision, reports its outcome and reads both back", async () => {
    await eventually(async () => {
      const lines = (await runExample("decide.sh")).trim().split("\n");
      const [decision, receipt, detail] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
      assert.equal(lines.length, 3);
      assert.equal(receipt?.["approved"], true);
      assert.equal(detail?.["decision_id"], decision?.["decision_id"]);
      assert.match(JSON.stringify(detail?.["outcome"]), /"outcome":"approved"/);
    });
  });

  for (const action of ["block", "hold"] as const) {
    it(`curl: after a ${action} nothing is paid and no outcome is reported`, async () => {
      const workspaceId = await createWorkspace(service);
      const ownKey = await createKey(service.pool, workspaceId);
      await publish(service, { workspaceId, key: ownKey, rules: [{ name: "all", then: { type: action } }] });
      await eventually(async () => {
        const lines = (await runExample("decide.sh", service.url, ownKey)).trim().split("\n");
        const [decision, detail] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
        assert.equal(lines.length, 2);
        assert.equal(decision?.["action"], action);
        assert.deepEqual([detail?.["decision_id"], detail?.["outcome"]], [decision?.["decision_id"], null]);
      });
    });
  }

  it("checkout: pays by the decision and reports the outcome", async () => {
    await eventually(async () => {
      assert.match(await runExample("checkout.ts"), /^approved with provider_[12], reported\n$/);
    });
  });

  it("checkout: pays even while the service is away", async () => {
    const printed = await runExample("checkout.ts", `http://127.0.0.1:${await freePort()}`);
    assert.equal(printed, "approved with provider_1, decided locally\n");
  });

  it("CLI-6: checkout: pays even over the rate limit", async () => {
    const limited = await startTestService({ RATE_LIMIT_PER_MINUTE: "1" });
    await inOneMinute(async () => {
      await send(limited, "GET", "/v1/provider-health");
      const printed = await runExample("checkout.ts", limited.url, limited.key);
      assert.equal(printed, "approved with provider_1, decided locally\n");
    });
  });

  it("shadow roll-out: compares its own routes with the service's, and enforces none of them", async () => {
    let comparison: Record<string, number> = {};
    await eventually(async () => {
      const printed = await runExample("shadow-rollout.ts");
      comparison = JSON.parse(printed.slice(0, printed.indexOf("}") + 1)) as Record<string, number>;
      assert.ok((comparison["comparable"] ?? 0) > 20);
      // A decision that its client has given up may be stored between the two reads.
      const { json } = await send(service, "GET", "/v1/decisions/shadow-report?days=7", { key });
      assert.equal(json["total_shadow_decisions"], comparison["total_shadow_decisions"]);
    });
    const { comparable, merchant_used_recommended, merchant_used_fallback, merchant_diverged } = comparison;
    assert.equal(
      comparable,
      (merchant_used_recommended ?? 0) + (merchant_used_fallback ?? 0) + (merchant_diverged ?? 0),
    );
    // Three providers in turn cannot all be among the best two.
    assert.ok((merchant_diverged ?? 0) > 0);
  });

  it("EVT-9: receiver: prints an event once, however often it comes, and refuses a forged one", async () => {
    const port = await freePort();
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const stopping = new AbortController();
    const env = { EVENTS_SECRET: secret, PORT: String(port) };
    const printing = runExample("receive-events.ts", "", "", { env, signal: stopping.signal });
    const body = '{"type":"key.revoked","data":{"api_key_id":"key_1"}}';
    const post = async (sent: string): Promise<number> => {
      const headers = signedHeaders({ eventId: "evt_1", body, secret }, Date.now());
      return (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body: sent })).status;
    };
    await untilPasses(async () => assert.equal(await post(body), 204));
    assert.deepEqual([await post(body), await post(`${body} `)], [204, 401]);
    stopping.abort();
    assert.equal(await printing, 'key.revoked {"api_key_id":"key_1"}\n');
  });

  it("every example is run by a test", () => {
    const source = readFileSync(new URL("test/service/client/examples.test.ts", ROOT), "utf8");
    const files = readdirSync(new URL("examples/", ROOT));
    assert.ok(files.length >= 3);
    for (const file of files) assert.ok(source.includes(`runExample("${file}"`), file);
  });

  it("the shadow-mode guide points at files that exist", () => {
    const guide = new URL("docs/shadow-rollout.md", ROOT);
    const text = readFileSync(guide, "utf8");
    const links = Array.from(text.matchAll(/\]\(([^)]+)\)/g), ([, link = ""]) => link);
    assert.ok(links.length >= 2);
    for (const link of links) assert.doesNotThrow(() => readFileSync(new URL(link, guide)), link);
    for (const [, name = ""] of text.matchAll(/dist\/examples\/([\w-]+)\.js/g)) {
      assert.doesNotThrow(() => readFileSync(new URL(`examples/${name}.ts`, ROOT)), name);
    }
  });
});
