import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import react from "@vitejs/plugin-react";
import currencyCodes from "currency-codes";
import { defineConfig, type Plugin } from "vite";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** The output folder of the build that compiles this file. */
const OUT_DIR = fileURLToPath(new URL("../../dashboard", import.meta.url));
const COMPRESSIBLE = /\.(?:css|html|js|svg)$/;
/** Quality 11 takes longer than the rest of the build and saves only 4 % of the bytes. */
const BROTLI_QUALITY = 9;

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** Writes compressed copies beside each file, because the service sends files as they are on the disk. */
function compressedCopies(): Plugin {
  return {
    name: "compressed-copies",
    async closeBundle() {
      const names = await readdir(OUT_DIR, { recursive: true });
      await Promise.all(
        names
          .filter((name) => COMPRESSIBLE.test(name))
          .map(async (name) => {
            const path = join(OUT_DIR, name);
            const bytes = await readFile(path);
            const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
            await writeFile(`${path}.br`, await brotliAsync(bytes, { params }));
            await writeFile(`${path}.gz`, await gzipAsync(bytes, { level: 9 }));
          }),
      );
    },
  };
}

/** The page needs each currency's code and decimals. The package also has names and countries, 50 kB of them. */
function smallCurrencies(): Plugin {
  const data = currencyCodes.data.map(({ code, digits }) => ({ code, digits }));
  return {
    name: "small-currencies",
    enforce: "pre",
    load(id) {
      return id.endsWith("/node_modules/currency-codes/index.js")
        ? `export default ${JSON.stringify({ data })};`
        : null;
    },
  };
}

export default defineConfig({
  root: join(ROOT, "src/dashboard"),
  base: "/dashboard/",
  plugins: [smallCurrencies(), react(), compressedCopies()],
  build: {
    outDir: OUT_DIR,
    emptyOutDir: true,
    // Inlined files would be data: URLs, which the content security policy allows only for images.
    assetsInlineLimit: 0,
    // The polyfill would be an inline script.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { "/v1": "http://127.0.0.1:8080" } },
});
