import assert from "node:assert/strict";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createDiskRoomCheck } from "../../../../src/platform/node/disk-room.js";
import { temporaryDir } from "../../../support/postgres/postgres.js";

describe("OPS-4: no write is asked of a disk that cannot take it", () => {
  it("a disk with room is trusted for a few milliseconds, then looked at again; one that failed is not trusted", async () => {
    const dir = join(await temporaryDir(), "data");
    await mkdir(dir);
    let nowMs = 1000;
    const check = createDiskRoomCheck(dir, () => nowMs);
    check();
    await rm(dir, { recursive: true });
    nowMs += 1;
    check();
    nowMs += 4;
    assert.throws(check);
    assert.throws(check);
    await mkdir(dir);
    check();
  });
});
