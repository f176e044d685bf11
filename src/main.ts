import { createRequire } from "node:module";

/*
 * `require` reads the service's 400 modules one after the other on this thread. `import` asks libuv's threads four times
 * for each, which costs 130 ms of CPU a start. Both give the same modules, with the same stacks.
 */
createRequire(import.meta.url)("./process.js");
