/**
 * Import this before pg. pg checks whether it runs in Cloudflare: it reads `navigator`, and without that the global
 * `Response`. Node.js 20 has no `navigator`, and reading `Response` makes it load all of fetch. That took 30 ms in
 * every thread that uses PostgreSQL. Under Node.js 22 this module does nothing.
 */
const { navigator } = globalThis as { navigator?: unknown };
if (navigator === undefined) {
  const userAgent = `Node.js/${process.versions.node.split(".")[0]}`;
  Object.defineProperty(globalThis, "navigator", { value: { userAgent }, configurable: true });
}
