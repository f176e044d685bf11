import { fileURLToPath } from "node:url";

/** Threads load built files: workers/<name>.ts, as `npm run build` leaves it. */
export const workerFile = (name: string): string =>
  fileURLToPath(new URL(`../../workers/${name}.js`, import.meta.url));
