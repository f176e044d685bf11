const MINUTE_MS = 60_000;

/**
 * Returns the table for the current minute of the wall clock. Each minute gets a new table, because V8 retains the
 * former entries of a long-lived table (docs/decisions/0012-no-long-lived-hash-tables.md).
 */
export function createMinuteTable<Value>(): (nowMs: number) => Map<string, Value> {
  let minute = 0;
  let table = new Map<string, Value>();
  return (nowMs) => {
    const current = Math.floor(nowMs / MINUTE_MS);
    if (current !== minute) {
      minute = current;
      table = new Map();
    }
    return table;
  };
}
