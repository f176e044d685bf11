import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freshLintConfig } from "./lint-config-file.js";
import { LINT_CONFIG } from "./lint-config.js";
import { ROOT } from "./tree.js";

/** `npm run lint-config`: writes the boundaries of floors.ts into .oxlintrc.json, and keeps its other overrides. */
writeFileSync(join(ROOT, LINT_CONFIG), await freshLintConfig(ROOT));
