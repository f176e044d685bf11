import { after } from "node:test";

/**
 * What a test file opened is closed when the file is done, last-in first-out: `runTogether` calls `closeAll` after each
 * of several files of one process; a file that runs alone has the process's own end for it.
 */
type Close = () => unknown;

let closers: Close[] = [];
/** Opened for all files of the process. */
const lastingClosers: Close[] = [];

/** Closes a part when the test file is done. Only from hooks and tests: files of one process are loaded side by side. */
export function closeLater(close: Close): void {
  closers.push(close);
}

/** What `open` registers stays open until the process's last file is done. */
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

/** A failure stops none of the others, and the first of them is the file's. */
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
