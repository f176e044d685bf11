import { fileURLToPath } from "node:url";

/** What `npm start` and the container give Node. */
export const START_ARGUMENTS = [
  "--single-threaded-gc",
  fileURLToPath(new URL("../../../service/main.js", import.meta.url)),
];
