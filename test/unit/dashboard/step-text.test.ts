import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { stepText } from "../../../src/dashboard/pages/analytics/step-text.js";

const MODULE = new URL("../../../src/dashboard/pages/analytics/step-text.js", import.meta.url).href;

/**
 * Formats texts in a browser of `zone`. Formats are made when the module is loaded, so each zone has a process of its
 * own.
 */
function textsIn(zone: string): string[] {
  const script = `import { ${stepText.name} } from ${JSON.stringify(MODULE)};
    console.log(JSON.stringify([
      stepText("month", "2026-11-01T00:00:00.000Z"),
      stepText("day", "2026-11-22T00:00:00.000Z"),
      stepText("hour", "2026-11-22T00:00:00.000Z"),
    ]));`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    env: { ...process.env, TZ: zone, LC_ALL: "en_US.UTF-8" },
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as string[];
}

describe("ANA-1: analytics: days and months are UTC", () => {
  for (const [zone, hour] of [
    ["America/New_York", "Nov 21, 19:00"],
    ["UTC", "Nov 22, 00:00"],
    ["Asia/Tokyo", "Nov 22, 09:00"],
  ] as const) {
    it(`a browser in ${zone} names them as the service counts them, and hours by its own clock`, () => {
      assert.deepEqual(textsIn(zone), ["Nov 2026", "Nov 22", hour]);
    });
  }
});
