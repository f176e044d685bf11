import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleService } from "./bundle.mjs";
import { CODE_FOLDERS, filesIn } from "./inputs.mjs";

const TSC = "typescript/bin/tsc";
const SWAGGER_UI = ["swagger-ui-bundle.js", "swagger-ui.css"];

/** Fills `dir`, which holds an earlier build or nothing. */
export async function makeBuild({ root, dir, isDashboardNew }) {
  const run = (program, ...args) => {
    const path = join(root, "node_modules", program);
    const { status } = spawnSync(process.execPath, [path, ...args], { cwd: root, stdio: "inherit" });
    if (status !== 0) throw new Error(`${program} failed`);
  };
  run(TSC, "--outDir", dir, "--tsBuildInfoFile", join(dir, ".tsbuildinfo"));
  removeStale(root, dir);
  // An import of the client by the package's name must get the client of the same build.
  const manifest = readFileSync(join(root, "package.json"), "utf8");
  writeFileSync(join(dir, "package.json"), manifest.replaceAll('"./dist/', '"./'));
  mkdirSync(join(dir, "docs"), { recursive: true });
  for (const name of SWAGGER_UI)
    copyFileSync(join(root, "node_modules/@fastify/swagger-ui/static", name), join(dir, "docs", name));
  writeFileSync(join(dir, "docs/examples.json"), joinedExamples(root));
  await bundleService(dir);
  if (!isDashboardNew) return;
  run(TSC, "-p", "src/dashboard", "--tsBuildInfoFile", join(dir, ".tsbuildinfo-dashboard"));
  const config = join(dir, "src/dashboard/vite.config.js");
  run("vite/bin/vite.js", "build", "--config", config, "--logLevel", "warn");
}

/** The recorded examples of all subjects, by operation: the API's document reads one file. */
function joinedExamples(root) {
  const files = filesIn(root, "src/features").filter((file) => file.endsWith("/examples.json"));
  return JSON.stringify(
    Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(join(root, file), "utf8")))),
  );
}

/** tsc leaves the output of deleted sources, and a test among it would run. */
export function removeStale(root, dir) {
  for (const folder of CODE_FOLDERS) {
    const sources = new Set(filesIn(root, folder).map((file) => file.replace(/\.tsx?$/, "")));
    for (const file of filesIn(dir, folder))
      if (!sources.has(file.replace(/(?:\.js|\.js\.map|\.d\.ts)$/, ""))) rmSync(join(dir, file));
  }
}
