import { readFileSync } from "node:fs";
import { join } from "node:path";
import { circleFaults, floorFaults, homelessFolders } from "./imports.js";
import { freshLintConfig } from "./lint-config-file.js";
import { LINT_CONFIG } from "./lint-config.js";
import { crowdedFolders, deepFolders, longFaults } from "./sizes.js";
import { TOO_LONG } from "./too-long.js";
import { filesOf, ROOT, sourcesOf } from "./tree.js";
import { freshWireTypes } from "./wire-types/fresh-wire-types.js";

/** The part of `npm run check` that checks the rules of test/house. It prints one line for each fault. */
const files = filesOf(ROOT);
const known = new Set(files);
const sources = sourcesOf(ROOT, files);
const isStale = readFileSync(join(ROOT, LINT_CONFIG), "utf8") !== (await freshLintConfig(ROOT));
const generated = await freshWireTypes(ROOT);
const stale = generated.filter(
  ({ path, text }) => !known.has(path) || readFileSync(join(ROOT, path), "utf8") !== text,
);

const faults = [
  ...(isStale ? [`${LINT_CONFIG} does not follow test/house/floors.ts: npm run lint-config`] : []),
  ...stale.map(({ path }) => `${path} does not follow the schemas: npm run wire-types`),
  ...crowdedFolders(files),
  ...deepFolders(files),
  ...homelessFolders(files),
  ...floorFaults(sources, known),
  ...circleFaults(sources, known),
  // Nobody edits generated files, so their length does not matter.
  ...longFaults(
    sources.filter((source) => !generated.some(({ path }) => path === source.path)),
    TOO_LONG,
  ),
];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
