import { measurePricedEngine } from "../engine/priced-engine.js";

// One of those of `measurePricedEngineApart`.
process.send?.(measurePricedEngine());
