import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { readRoot } from "../../support/machine/deploy-files.js";

/**
 * The command of docs/deployment.md, "Supply chain". npm writes the list, and these tests check the page's statements
 * about it.
 */

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const DEVELOPMENT = "cdx:npm:package:development";

interface Component {
  "bom-ref": string;
  name: string;
  purl: string;
  properties: { name: string; value: string }[];
  hashes?: { alg: string; content: string }[];
  licenses?: unknown[];
}
interface Bill {
  bomFormat: string;
  specVersion: string;
  metadata: { component: { purl: string } };
  components: Component[];
}

function npmSbom(): Bill {
  const [, args = ""] =
    /^- \*\*`npm (sbom [^`>]+) > sbom\.json`\*\*/m.exec(readRoot("docs/deployment.md")) ?? [];
  assert.notEqual(args, "");
  const { status, stdout, stderr } = spawnSync("npm", args.split(" "), {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 64 * 2 ** 20,
    // Nothing listens on this port, so the list comes from package-lock.json alone.
    env: { ...process.env, npm_config_registry: "http://127.0.0.1:1", npm_config_fetch_retries: "0" },
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as Bill;
}

interface Locked {
  name?: string;
  version: string;
  dev?: boolean;
}
/** `name@version` of each package in package-lock.json that passes the filter. */
function locked(passes: (entry: Locked) => boolean): string[] {
  const { packages } = JSON.parse(readRoot("package-lock.json")) as { packages: Record<string, Locked> };
  const found = Object.entries(packages)
    .filter(([path, entry]) => path !== "" && passes(entry))
    .map(([path, { name, version }]) => `${name ?? path.split("node_modules/").at(-1)}@${version}`);
  return [...new Set(found)].toSorted();
}

let bill: Bill;
before(() => {
  bill = npmSbom();
});
const refs = (components: readonly Component[]): string[] =>
  components.map((component) => component["bom-ref"]).toSorted();
const isDevelopment = ({ properties }: Component): boolean =>
  properties.some(({ name }) => name === DEVELOPMENT);

describe("supply chain: npm sbom", () => {
  it("is CycloneDX 1.5 and names the service by its package URL", () => {
    assert.deepEqual([bill.bomFormat, bill.specVersion], ["CycloneDX", "1.5"]);
    assert.match(bill.metadata.component.purl, /^pkg:npm\/payinference@/);
  });

  it("lists every package of package-lock.json, each with its package URL and SHA-512", () => {
    assert.deepEqual(
      refs(bill.components),
      locked(() => true),
    );
    for (const { "bom-ref": ref, purl, hashes = [] } of bill.components) {
      assert.match(purl, /^pkg:npm\/.+@.+$/, ref);
      const sha512 = hashes.find(({ alg }) => alg === "SHA-512")?.content;
      assert.match(sha512 ?? "", /^[0-9a-f]{128}$/, ref);
    }
    const parser = bill.components.find(({ name }) => name === "uWebSockets.js");
    assert.equal(parser?.purl, "pkg:npm/uws-pack@20.0.8");
  });

  it("omits the mark of development for exactly the packages that the image installs", () => {
    const installed = bill.components.filter((component) => !isDevelopment(component));
    assert.deepEqual(
      refs(installed),
      locked(({ dev = false }) => !dev),
    );
    const names = new Set(installed.map(({ name }) => name));
    // `npm sbom --omit=dev` omits ajv and pino, because development packages need them too.
    for (const name of ["ajv", "pino"]) assert.ok(names.has(name), name);
    for (const name of ["typescript", "vite", "react"]) assert.ok(!names.has(name), name);
  });

  it("has the licence of each package that the image installs, if the package states one", () => {
    const without = bill.components.filter(
      (component) => !isDevelopment(component) && (component.licenses ?? []).length === 0,
    );
    assert.deepEqual(refs(without), ["nub@0.0.0"]);
  });
});
