import { describe, it } from "node:test";
import { ms, recordFigures, seconds } from "../../support/load/figures.js";
import { mountSmallDisk, NO_MOUNTS } from "../../support/machine/mounts.js";
import { scaled } from "../../support/load/scale.js";
import { startTestService } from "../../support/service/service.js";
import { DISK_FAULTS, SMALL_DISK_BYTES, surviveDiskFault } from "./disk-scenario.js";

const LASTS_MS = scaled(10_000, 1500);

describe("reliability: an unwritable DATA_DIR under 500 requests a second", () => {
  for (const [name, fault] of Object.entries(DISK_FAULTS)) {
    it(`${name}: refuses requests that it cannot record, loses nothing, and recovers`, async (t) => {
      const disk = await mountSmallDisk(SMALL_DISK_BYTES);
      if (disk === null) return t.skip(NO_MOUNTS);
      const service = await startTestService({ DATA_DIR: disk, RATE_LIMIT_PER_MINUTE: "0" });
      const { refusedAfterMs, backAfterMs, refused, decisions } = await surviveDiskFault(
        service,
        fault,
        LASTS_MS,
      );
      await recordFigures(t, {
        fault: `DATA_DIR ${name}`,
        promised: "a clear 503 and a metric, no corruption, recovery when it can be written to again",
        measured: `for ${seconds(LASTS_MS)}: refused after ${ms(refusedAfterMs)}, ${refused} answered 503; deciding again ${ms(backAfterMs)} after its end; ${decisions} decisions acknowledged, 0 lost, also across a kill -9 afterwards`,
      });
    });
  }
});
