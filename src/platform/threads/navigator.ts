/**
 * Node.js 20 has no `navigator`, and pg then asks the global `Response` whether it runs in Cloudflare: to have one, Node.js
 * loads its whole fetch, 30 ms in every thread that talks to PostgreSQL. Imported before pg; with Node.js 22 it does nothing.
 */
const { navigator } = globalThis as { navigator?: unknown };
if (navigator === undefined) {
  const userAgent = `Node.js/${process.versions.node.split(".")[0]}`;
  Object.defineProperty(globalThis, "navigator", { value: { userAgent }, configurable: true });
}
