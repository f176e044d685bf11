import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryDir } from "../../support/postgres/postgres.js";

/**
 * Tests packages/client as a merchant's backend gets it: packed by the documented command, installed into an empty
 * folder, and imported.
 */

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const readJson = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;

interface Run {
  status: number | null;
  output: string;
}
function run(command: string, args: readonly string[], cwd: string): Run {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  return { status, output: stdout + stderr };
}
const npm = (args: readonly string[], cwd: string): Run =>
  run("npm", [...args, "--offline", "--no-audit", "--no-fund"], cwd);

let backend: string;
let packed: string[];
before(async () => {
  const dir = await temporaryDir();
  backend = join(dir, "backend");
  await mkdir(backend);
  const made = npm(["run", "pack:client", "--", "--pack-destination", dir], ROOT);
  assert.equal(made.status, 0, made.output);
  const [archive, ...others] = readdirSync(dir).filter((file) => file.endsWith(".tgz"));
  assert.ok(archive !== undefined && others.length === 0);
  await writeFile(join(backend, "package.json"), '{"type":"module"}');
  const installed = npm(["install", "--no-save", "--ignore-scripts", join(dir, archive)], backend);
  assert.equal(installed.status, 0, installed.output);
  packed = readdirSync(join(backend, "node_modules/payinference"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(backend, "node_modules/").length));
});

describe("docs/client.md: the client library as `npm run pack:client` makes it", () => {
  it("needs no other package, not even the service's", () => {
    assert.deepEqual(
      readdirSync(join(backend, "node_modules")).filter((name) => !name.startsWith(".")),
      ["payinference"],
    );
  });

  it("contains only the client and its imports, with types, the licence and its README", () => {
    const source = packed.filter((file) => file.startsWith("payinference/dist/"));
    assert.deepEqual(packed.filter((file) => !source.includes(file)).toSorted(), [
      "payinference/LICENSE",
      "payinference/README.md",
      "payinference/package.json",
    ]);
    for (const file of source)
      assert.match(
        file,
        /^payinference\/dist\/(?:client\/[a-z-]+\.(?:js|d\.ts)|domain\/(?:vocabulary|policy)\/[a-z-]+\.d\.ts)$/,
      );
    // All code comes from src/client. Only types come from the service's other sources.
    assert.deepEqual(
      source
        .filter((file) => !file.includes("/client/"))
        .map((file) => file.slice("payinference/dist/domain/".length))
        .toSorted(),
      [
        "policy/action-row.d.ts",
        "policy/action-rows.d.ts",
        "policy/condition-fields.d.ts",
        "policy/condition-row.d.ts",
        "policy/condition-vocabulary.d.ts",
        "policy/policy-facts.d.ts",
        "policy/policy.d.ts",
        "vocabulary/client-reason-codes.d.ts",
        "vocabulary/decision-request.d.ts",
        "vocabulary/limits.d.ts",
        "vocabulary/vocabulary.d.ts",
      ],
    );
  });

  it("is imported as the guide says, and decides by itself when no service answers", async () => {
    await writeFile(
      join(backend, "checkout.js"),
      `import { PayInferenceClient } from "payinference/client";
const client = new PayInferenceClient({ baseUrl: "http://127.0.0.1:1", apiKey: "pi_test_0123456789abcdef" });
const { ok, source, decision } = await client.decide({
  merchant_id: "m", order_id: "o", available_providers: ["provider_1"],
  transaction: { amount: 100, currency: "USD", country: "US", payment_method: "card" },
});
process.stdout.write([ok, source, decision.route.primary_provider].join(" "));
client.close();
`,
    );
    assert.deepEqual(run(process.execPath, ["checkout.js"], backend), {
      status: 0,
      output: "true fallback provider_1",
    });
  });

  it("has types that need no other package, and that refuse the values that the service would refuse", async () => {
    await writeFile(
      join(backend, "checkout.ts"),
      `import { PayInferenceClient, PayInferenceError, type DecideResult, type DecisionRequest } from "payinference/client";
const client = new PayInferenceClient({ baseUrl: "https://decisions.example.com", apiKey: "" });
export const asked = (request: DecisionRequest): Promise<DecideResult> => client.decide(request);
export const kindOf = (error: PayInferenceError): string => error.problem.kind;
// @ts-expect-error no instruction has this name
new PayInferenceClient({ baseUrl: "", apiKey: "", safeDefault: { action: "approve" } });
`,
    );
    // Even Node's own types are missing, and every declaration of the package is checked.
    const options = "--noEmit --strict --skipLibCheck false --module nodenext --target es2023 --types";
    const args = [join(ROOT, "node_modules/typescript/bin/tsc"), ...options.split(" "), "", "checkout.ts"];
    assert.deepEqual(run(process.execPath, args, backend), { status: 0, output: "" });
  });

  it("has this version, licence and export; the repository's own package contains none of it", () => {
    const [own, root] = [
      readJson(join(ROOT, "packages/client/package.json")),
      readJson(join(ROOT, "package.json")),
    ];
    for (const name of ["name", "version", "license", "type"]) assert.equal(own[name], root[name], name);
    assert.deepEqual(Object.keys(own["exports"] as object), Object.keys(root["exports"] as object));
    const { status, output } = npm(["pack", "--dry-run", "--json"], ROOT);
    assert.equal(status, 0, output);
    // npm packs these three files for every package.
    const files = Array.from(output.matchAll(/"path": "([^"]+)"/g), ([, path = ""]) => path);
    assert.deepEqual(files.toSorted(), ["LICENSE", "README.md", "package.json"]);
  });
});
