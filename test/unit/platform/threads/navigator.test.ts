import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, it } from "node:test";

/** The test starts a process of its own, because requests of other tests have already loaded fetch in this one. */
function loadedBy(imports: readonly string[]): { modules: string[]; userAgent: string } {
  const script = `${imports.map((name) => `await import(${JSON.stringify(name)});`).join("\n")}
    const userAgent = navigator.userAgent;
    process.stdout.write(JSON.stringify({ modules: process.moduleLoadList, userAgent }));`;
  return JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }),
  ) as { modules: string[]; userAgent: string };
}

describe("navigator, which Node.js 20 does not have", () => {
  it("is the one of Node.js 22, and spares pg the loading of fetch", () => {
    const url = new URL("../../../../src/platform/threads/navigator.js", import.meta.url).href;
    const { modules, userAgent } = loadedBy([url, "pg"]);
    assert.equal(userAgent, `Node.js/${process.versions.node.split(".")[0]}`);
    assert.deepEqual(
      modules.filter((name) => name.endsWith("undici/undici")),
      [],
    );
  });
});
