/**
 * Import this before pg. To detect Cloudflare, pg reads `navigator`, and if that is missing the global `Response`.
 * Node.js 20 has no `navigator`, and loads all of fetch when `Response` is read. That took 30 ms in every thread that
 * uses PostgreSQL. Under Node.js 22 this module does nothing.
 */
const { navigator } = globalThis as { navigator?: unknown };
if (navigator === undefined) {
  const userAgent = `Node.js/${process.versions.node.split(".")[0]}`;
  Object.defineProperty(globalThis, "navigator", { value: { userAgent }, configurable: true });
}
