import { after } from "node:test";

/**
 * A test file closes its parts when it is done, last-in first-out. If one process runs several files, `runTogether`
 * calls `closeAll` after each. The `after` hook below closes a file that runs alone.
 */
type Close = () => unknown;

let closers: Close[] = [];
/** The closers of parts that stay open for all files of the process. */
const lastingClosers: Close[] = [];

/**
 * Closes a part when the test file is done. Call it only from hooks and tests, because the files of one process are
 * loaded side by side.
 */
export function closeLater(close: Close): void {
  closers.push(close);
}

/** Runs `open`. The parts that it registers stay open until the last file of the process is done. */
export async function keepOpen<T>(open: () => Promise<T>): Promise<T> {
  const own = closers;
  closers = [];
  try {
    return await open();
  } finally {
    lastingClosers.push(...closers);
    closers = own;
  }
}

/** Calls every closer, even after one has failed. The first failure fails the file. */
export async function closeAll(): Promise<void> {
  await closeEach(closers);
}

async function closeEach(list: Close[]): Promise<void> {
  const failures: unknown[] = [];
  for (let close = list.pop(); close !== undefined; close = list.pop()) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

after(async () => {
  await closeEach(closers);
  await closeEach(lastingClosers);
});
