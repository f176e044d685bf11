import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The folders that tsc compiles. Only `src` has other files that are built (the dashboard's styles and page). */
export const CODE_FOLDERS = ["src", "workers", "bench", "sim", "deploy", "test", "examples"];
/** All folders that the dashboard may import from. test/house/floors.ts enforces this. */
const DASHBOARD_FOLDERS = ["src/client", "src/dashboard", "src/domain"];
/** Lists the packages as installed. The lock file only says which ones are wanted. */
const INSTALLED = "node_modules/.package-lock.json";
const SETTINGS = ["package.json", "tsconfig.json", INSTALLED];

/** Paths below the root, sorted, because the order of a folder on the disk must not matter. */
export function filesIn(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted();
}

/** Hashes file contents and never times, because a checkout touches files that it does not change. */
export function hashInputs(root) {
  const settings = [...SETTINGS, ...filesIn(root, "build")].filter((file) => existsSync(join(root, file)));
  const sources = CODE_FOLDERS.flatMap((folder) => filesIn(root, folder)).filter(
    (file) => file.startsWith("src/") || file.endsWith(".ts"),
  );
  const ofDashboard = sources.filter((file) =>
    DASHBOARD_FOLDERS.some((folder) => file.startsWith(`${folder}/`)),
  );
  const digests = new Map(
    [...settings, ...sources].map((file) => [file, sha256(readFileSync(join(root, file)))]),
  );
  const hashOf = (files) => sha256(files.map((file) => `${file} ${digests.get(file)}\n`).join(""));
  return { all: hashOf([...settings, ...sources]), dashboard: hashOf([...settings, ...ofDashboard]) };
}

const sha256 = (content) => createHash("sha256").update(content).digest("hex");
