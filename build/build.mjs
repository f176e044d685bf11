import { fileURLToPath } from "node:url";
import { hashInputs } from "./inputs.mjs";
import { ensureBuilt } from "./output.mjs";
import { makeBuild } from "./steps.mjs";

/**
 * `npm run build`: makes `dist` from the sources. It is plain JavaScript, because it runs before anything is compiled.
 */
const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
try {
  await ensureBuilt({
    root,
    hashInputs: () => hashInputs(root),
    make: (dir, known, wanted) =>
      makeBuild({ root, dir, isDashboardNew: known.dashboard !== wanted.dashboard }),
    log: (line) => process.stderr.write(`${line}\n`),
  });
} catch (error) {
  process.stderr.write(`not built: ${error.message}\n`);
  process.exitCode = 1;
}
