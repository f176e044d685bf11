import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./tree.js";
import { freshWireTypes } from "./wire-types/fresh-wire-types.js";

/** `npm run wire-types`: writes the types of the client and of the dashboard from the schemas of the service. */
for (const { path, text } of await freshWireTypes(ROOT)) writeFileSync(join(ROOT, path), text);
