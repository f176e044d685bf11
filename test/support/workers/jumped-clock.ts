import { openSync, readSync } from "node:fs";

/**
 * The name of the variable that names the clock file. The file holds a double: the milliseconds by which the host's
 * clock is ahead.
 */
export const CLOCK_FILE_VARIABLE = "TEST_CLOCK_FILE";

// Each thread loads this module first. It replaces the thread's clock with one that jumps.
const file = process.env[CLOCK_FILE_VARIABLE];
if (file !== undefined) {
  const open = openSync(file, "r");
  const bytes = Buffer.alloc(8);
  const trueNow = Date.now;
  Date.now = () => {
    readSync(open, bytes, 0, 8, 0);
    return trueNow() + bytes.readDoubleLE();
  };
}
