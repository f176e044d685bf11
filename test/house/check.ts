import { readFileSync } from "node:fs";
import { join } from "node:path";
import { circleFaults, floorFaults, homelessFolders } from "./imports.js";
import { freshLintConfig } from "./lint-config-file.js";
import { LINT_CONFIG } from "./lint-config.js";
import { crowdedFolders, deepFolders, longFaults } from "./sizes.js";
import { TOO_LONG } from "./too-long.js";
import { filesOf, ROOT, sourcesOf } from "./tree.js";

/** Part of `npm run check`: the house's own rules. Prints one line for each fault, and nothing where there is none. */
const files = filesOf(ROOT);
const known = new Set(files);
const sources = sourcesOf(ROOT, files);
const isStale = readFileSync(join(ROOT, LINT_CONFIG), "utf8") !== (await freshLintConfig(ROOT));

const faults = [
  ...(isStale ? [`${LINT_CONFIG} does not follow test/house/floors.ts: npm run lint-config`] : []),
  ...crowdedFolders(files),
  ...deepFolders(files),
  ...homelessFolders(files),
  ...floorFaults(sources, known),
  ...circleFaults(sources, known),
  ...longFaults(sources, TOO_LONG),
];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
