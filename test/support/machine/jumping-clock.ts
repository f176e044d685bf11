import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryDir } from "../postgres/postgres.js";
import { CLOCK_FILE_VARIABLE } from "../workers/jumped-clock.js";

export interface JumpingClock {
  /** The environment for a process that should see this clock. */
  readonly env: Readonly<Record<string, string>>;
  /** Sets the clock ahead of the true time by this many milliseconds. A negative value sets it back. */
  set(aheadMs: number): void;
}

export async function createJumpingClock(): Promise<JumpingClock> {
  const file = join(await temporaryDir(), "clock");
  writeFileSync(file, Buffer.alloc(8));
  return {
    env: {
      [CLOCK_FILE_VARIABLE]: file,
      NODE_OPTIONS: `--import ${fileURLToPath(new URL("../workers/jumped-clock.js", import.meta.url))}`,
    },
    set(aheadMs) {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(aheadMs);
      const open = openSync(file, "r+");
      writeSync(open, bytes, 0, 8, 0);
      closeSync(open);
    },
  };
}
