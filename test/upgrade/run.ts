import { fileURLToPath } from "node:url";
import { runInOwnDirectory } from "../runner/own-directory.js";

/** `npm run test:upgrade`: runs upgrade.ts, and leaves nothing of it behind. */
const UPGRADE = fileURLToPath(new URL("./upgrade.js", import.meta.url));

process.exit(await runInOwnDirectory(["--test-reporter=spec", UPGRADE, ...process.argv.slice(2)]));
