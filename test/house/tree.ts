import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readSource, type SourceFile } from "./source-file.js";

/** The repository's root, from dist/test/house. */
export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Build output, packages, and files that a run leaves behind. */
const NOT_OURS: ReadonlySet<string> = new Set([".git", "data", "dist", "node_modules", "reports"]);

/** Every file that people maintain, relative to the root. */
export function filesOf(root: string, folder = ""): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !NOT_OURS.has(name) && !name.startsWith(".dist-"))
    .flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return filesOf(root, path);
      return entry.isFile() ? [path] : [];
    });
}

/** The sources whose imports and lengths are checked. */
export function sourcesOf(root: string, files: readonly string[]): SourceFile[] {
  return files
    .filter((file) => /^(?:src|workers|bench|sim)\/.*\.tsx?$/.test(file))
    .map((file) => readSource(file, readFileSync(join(root, file), "utf8")));
}
