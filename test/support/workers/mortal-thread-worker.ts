import { existsSync, readFileSync, unlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { isMainThread } from "node:worker_threads";

/**
 * Loaded ahead of everything into each thread of a service that is otherwise as delivered
 * (`NODE_OPTIONS=--import`): a thread dies when a file of its name is in MORTAL_DIR, which it removes; the file says how.
 */
const name = basename(process.argv[1] ?? "").replace(/\.js$/, "");
// Piscina's own entry point runs the decide workers.
const file = join(process.env["MORTAL_DIR"] ?? "", name === "worker" ? "decide" : name);

function dieIfTold(): void {
  if (!existsSync(file)) return;
  let cause: string;
  try {
    cause = readFileSync(file, "utf8");
    unlinkSync(file);
  } catch {
    // Of several decide workers another was faster.
    return;
  }
  if (cause === "throw") throw new Error("the test ends this thread");
  process.exit(9);
}

if (!isMainThread) {
  if (file.endsWith("decide")) {
    // Read once in every batch: so it dies in the middle of one, with requests that wait for it.
    const now = Date.now;
    Date.now = () => {
      dieIfTold();
      return now();
    };
  } else {
    setInterval(dieIfTold, 5).unref();
  }
}
