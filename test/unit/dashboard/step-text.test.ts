import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { stepText } from "../../../src/dashboard/pages/analytics/step-text.js";

const MODULE = new URL("../../../src/dashboard/pages/analytics/step-text.js", import.meta.url).href;

interface Starts {
  month: string;
  day: string;
}

/**
 * Returns the texts that a browser in `zone` shows. Formats are made when the module is loaded, so each zone needs
 * its own process.
 */
function textsIn(zone: string, { month, day }: Starts): string[] {
  const script = `import { ${stepText.name} } from ${JSON.stringify(MODULE)};
    console.log(JSON.stringify([
      stepText("month", "${month}:00.000Z"),
      stepText("day", "${day}:00.000Z"),
      stepText("hour", "2026-11-22T00:00:00.000Z"),
    ]));`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    env: { ...process.env, TZ: zone, LC_ALL: "en_US.UTF-8" },
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as string[];
}

describe("DASH-47: analytics: hours, days and months are those of the zone", () => {
  for (const [zone, month, day, hour] of [
    ["America/New_York", "2026-11-01T04:00", "2026-11-22T05:00", "Nov 21, 19:00"],
    ["UTC", "2026-11-01T00:00", "2026-11-22T00:00", "Nov 22, 00:00"],
    ["Asia/Tokyo", "2026-10-31T15:00", "2026-11-21T15:00", "Nov 22, 09:00"],
    // A day in Kolkata begins with the first whole UTC hour.
    ["Asia/Kolkata", "2026-10-31T19:00", "2026-11-21T19:00", "Nov 22, 05:30"],
  ] as const) {
    it(`a browser in ${zone} names them as the service begins them there`, () => {
      assert.deepEqual(textsIn(zone, { month, day }), ["Nov 2026", "Nov 22", hour]);
    });
  }
});
