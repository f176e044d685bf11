/**
 * pg reads `navigator` to find out whether it runs in Cloudflare. Node.js 20 has no `navigator`, so pg reads the global
 * `Response`. Node.js loads its whole fetch for that, which took 30 ms in every thread that talks to PostgreSQL. Import
 * this before pg. With Node.js 22 it does nothing.
 */
const { navigator } = globalThis as { navigator?: unknown };
if (navigator === undefined) {
  const userAgent = `Node.js/${process.versions.node.split(".")[0]}`;
  Object.defineProperty(globalThis, "navigator", { value: { userAgent }, configurable: true });
}
