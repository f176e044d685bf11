import { serveErrands } from "../src/platform/threads/errand-worker.js";
import { workOnPassword } from "../src/features/accounts/password-actor.js";

serveErrands(workOnPassword);
