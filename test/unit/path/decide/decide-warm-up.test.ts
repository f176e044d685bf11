import assert from "node:assert/strict";
import { it } from "node:test";
import { warmUp } from "../../../../src/path/decide/decide-warm-up.js";
import { createDecisionContexts } from "../../../../src/path/decide/context/decision-contexts.js";
import { FORMATS } from "../../../../src/platform/wire/body-validator.js";
import { createDecisionValidator, decisionRequestSchema } from "../../../../src/path/wire/decision-schema.js";
import { compileFastReader } from "../../../../src/platform/wire/fast-reader.js";
import { openReplica } from "../../../../src/path/replica/replica.js";
import { createDataDir, PROVIDERS } from "../../../support/service/actor-parts.js";
import { closeLater } from "../../../support/closing.js";

it("a worker warms up its reader and the part that it leaves to Ajv, so that no merchant waits for them", async () => {
  const replica = openReplica((await createDataDir()).dataDir);
  closeLater(() => replica.close());
  const validator = createDecisionValidator(PROVIDERS);
  const read = compileFastReader(decisionRequestSchema(PROVIDERS), FORMATS);
  const ways = new Set<string>();
  const parse = (text: string) => {
    ways.add(read(text) === undefined ? "left" : "read");
    return validator.parse(text);
  };
  warmUp({ ...validator, parse }, createDecisionContexts(replica, 90), PROVIDERS);
  assert.deepEqual([...ways].toSorted(), ["left", "read"]);
});
