import { openSync, readSync } from "node:fs";

/** Names the file with the milliseconds that the host's clock is ahead, a double. */
export const CLOCK_FILE_VARIABLE = "TEST_CLOCK_FILE";

// Loaded by each thread before anything else: puts a clock that jumps in the place of its own.
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
