import { measurePricedEngine } from "./priced-engine.js";

// One of those of `measurePricedEngineApart`.
process.send?.(measurePricedEngine());
