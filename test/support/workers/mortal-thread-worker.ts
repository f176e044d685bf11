import { existsSync, readFileSync, unlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { isMainThread } from "node:worker_threads";

/**
 * Each thread of the service loads this module first (`NODE_OPTIONS=--import`). The service is otherwise as delivered.
 * A thread dies when a file with its name appears in MORTAL_DIR. The thread removes the file, and the file's content
 * says how to die.
 */
const name = basename(process.argv[1] ?? "").replace(/\.js$/, "");
// Piscina's own entry point is called "worker". It runs the decide workers.
const file = join(process.env["MORTAL_DIR"] ?? "", name === "worker" ? "decide" : name);

function dieIfTold(): void {
  if (!existsSync(file)) return;
  let cause: string;
  try {
    cause = readFileSync(file, "utf8");
    unlinkSync(file);
  } catch {
    // Another decide worker has removed the file first.
    return;
  }
  if (cause === "throw") throw new Error("the test ends this thread");
  process.exit(9);
}

if (!isMainThread) {
  if (file.endsWith("decide")) {
    // Every batch reads the clock once. The thread therefore dies in the middle of a batch, with requests that wait for
    // it.
    const now = Date.now;
    Date.now = () => {
      dieIfTold();
      return now();
    };
  } else {
    setInterval(dieIfTold, 5).unref();
  }
}
