import { fileURLToPath } from "node:url";

/** The arguments that `npm start` and the container pass to Node. */
export const START_ARGUMENTS = [
  "--single-threaded-gc",
  fileURLToPath(new URL("../../../service/main.js", import.meta.url)),
];
