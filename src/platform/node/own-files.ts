import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The full path of a file or folder that is delivered with the service. The folders above the running code are
 * searched, the nearest first. A bundled service (build/bundle.mjs) thus starts bundled threads, and unbundled output
 * of tsc starts unbundled ones. Throws if no folder has it.
 */
export function ownFile(path: string): string {
  let dir = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const file = join(dir, path);
    if (existsSync(file)) return file;
    const above = dirname(dir);
    if (above === dir) throw new Error(`${path} is missing from this installation`);
    dir = above;
  }
}
