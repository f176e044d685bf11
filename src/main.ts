import { createRequire } from "node:module";

/*
 * `require` reads the service's 400 modules one after the other on this thread. `import` asks libuv's threads four times
 * for each, which costs 130 ms of CPU a start. Both give the same modules, with the same stacks. Node 22 before 22.12 has
 * only the second.
 */
if (process.features.require_module) createRequire(import.meta.url)("./process.js");
else await import("./process.js");
