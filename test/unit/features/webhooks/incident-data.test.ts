import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readIncident } from "../../../../src/features/webhooks/wire/incident-data.js";

const NOTHING = { incidentId: "", isOpen: true, severity: "major", paymentMethod: null, currency: null };

describe("HOOK-7: data of provider.incident_opened and _closed", () => {
  for (const [what, data, expected] of [
    ["nothing", {}, {}],
    [
      "everything",
      { incident_id: "inc-1", severity: "minor", payment_method: "card", currency: "USD" },
      { incidentId: "inc-1", severity: "minor", paymentMethod: "card", currency: "USD" },
    ],
    ["a critical one", { severity: "critical" }, { severity: "critical" }],
    ["a severity that is none", { severity: "sev1" }, {}],
    ["an id that is no text", { incident_id: 12 }, {}],
    ["an id that is too long", { incident_id: "x".repeat(129) }, {}],
    ["names that are none", { payment_method: ["card"], currency: "4111111111111111" }, {}],
    ["a method of others, which matches nothing", { payment_method: "pix" }, { paymentMethod: "pix" }],
    ["anything else", { description: "x", pan: "4111111111111111" }, {}],
  ] as const) {
    it(`accepts ${what}`, () => assert.deepEqual(readIncident(data, true), { ...NOTHING, ...expected }));
  }

  it("says whether it is open", () => assert.equal(readIncident({}, false).isOpen, false));
});
