import { serveErrands } from "../src/actors/errand-worker.js";
import { workOnPassword } from "../src/actors/password-actor.js";

serveErrands(workOnPassword);
