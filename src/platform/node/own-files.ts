import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The full path of a file or folder that comes with the service. It is the nearest one with that path in a folder above
 * the running code. So a bundled service (build/bundle.mjs) starts bundled threads, and unbundled output of tsc starts
 * unbundled ones. Throws if there is none.
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
