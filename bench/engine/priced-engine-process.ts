import { measurePricedEngine } from "../engine/priced-engine.js";

// One of the processes of `measurePricedEngineApart`.
process.send?.(measurePricedEngine());
