import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { BUNDLED, type BillOfMaterials, type Component } from "../../../deploy/bill-of-materials.js";

/** `npm run sbom`: docs/deployment.md, "Supply chain". */

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

interface Listed extends Component {
  version: string;
  purl: string;
  hashes?: { alg: string; content: string }[];
}
type Bill = Omit<BillOfMaterials, "components"> & { specVersion: string; components: Listed[] };

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 64 * 2 ** 20,
  });
  assert.equal(status, 0, stderr);
  return stdout;
}
const sbom = (): string => run(process.execPath, ["dist/deploy/sbom.js"]);

let text: string;
let bill: Bill;
before(() => {
  text = sbom();
  bill = JSON.parse(text) as Bill;
});

describe("supply chain: npm run sbom", () => {
  it("is CycloneDX 1.5 by the standard's own schema", async () => {
    assert.equal(bill.specVersion, "1.5");
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot5);
    assert.equal(await validator.validate(text), null);
    assert.notEqual(await validator.validate(text.replace('"library"', '"thing"')), null);
  });

  it("names the service, and is the same for the same lock, whatever folder and hour it is", () => {
    const { name, type } = bill.metadata.component;
    assert.deepEqual([name, type], ["payinference", "application"]);
    assert.equal(sbom(), text);
  });

  it("has all that npm would install without development packages, each with version and SHA-512", () => {
    const args = ["sbom", "--sbom-format=cyclonedx", "--omit=dev", "--package-lock-only", "--offline"];
    const installed = JSON.parse(run("npm", args)) as Bill;
    const listed = new Map(bill.components.map((component) => [component["bom-ref"], component]));
    assert.ok(installed.components.length > 50);
    for (const { "bom-ref": ref } of installed.components) {
      const component = listed.get(ref);
      assert.ok(component !== undefined, ref);
      assert.match(component.purl, /^pkg:npm\/.+@.+$/);
      const sha512 = component.hashes?.find(({ alg }) => alg === "SHA-512")?.content;
      assert.match(sha512 ?? "", /^[0-9a-f]{128}$/, ref);
    }
    const parser = bill.components.find(({ name }) => name === "uWebSockets.js");
    assert.equal(parser?.purl, "pkg:npm/uws-pack@20.0.8");
  });

  it("has what the build copies into the pages, and nothing that stays on the builder's machine", () => {
    const names = new Set(bill.components.map(({ name }) => name));
    for (const name of ["react", "react-dom", "scheduler", "uplot", "@fastify/swagger-ui"]) {
      assert.ok(names.has(name), name);
    }
    for (const name of ["typescript", "vite", "fastify", "@types/react", "@fastify/static"]) {
      assert.ok(!names.has(name), name);
    }
  });

  it("knows every package that the dashboard's sources import", () => {
    const dir = `${ROOT}src/dashboard`;
    const sources = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter(
      (file) => /\.tsx?$/.test(file) && !file.startsWith("vite."),
    );
    const imported = sources.flatMap((file) =>
      Array.from(
        readFileSync(`${dir}/${file}`, "utf8").matchAll(
          /(?:from|import) "((?:@[\w-]+\/)?[\w-]+)(?:\/[^"]*)?"/g,
        ),
        ([, name = ""]) => name,
      ),
    );
    const bundled = BUNDLED.filter(({ withDependencies }) => withDependencies).map(({ name }) => name);
    assert.deepEqual([...new Set(imported)].toSorted(), bundled.toSorted());
  });
});
