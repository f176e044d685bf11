import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { incidentText } from "../../../src/dashboard/explain/incident-text.js";
import { reasonSentence } from "../../../src/dashboard/explain/reason-sentences.js";
import { decide } from "../../../src/domain/decision/decide.js";
import { reportOverlay } from "../../../src/domain/health/provider-report.js";
import { mergeOverlays } from "../../../src/domain/health/view.js";
import { CLIENT_REASON_CODES } from "../../../src/domain/vocabulary/client-reason-codes.js";
import { CUSTOM_CODES, decideInput } from "../../support/generators/arbitraries.js";
import { snapshot } from "../domain/decision/situations.js";

const SOURCES = fileURLToPath(new URL("../../../../src/", import.meta.url));
const FOLDERS = ["decision", "health", "risk", "pricing", "vocabulary"].map((folder) => `domain/${folder}`);
/** UPPER_SNAKE text: a code, or the part after a provider's id in `${prefix}_…`. */
const LITERAL = /"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)"/g;
const SUFFIX = /`\$\{prefix\}_([A-Z0-9_]+)`/g;

/** The codes of alerts have their sentences in alert-text.ts. */
const OF_ALERTS = "alert-kinds.ts";

/** The codes in the service's sources. Codes that follow a provider's id get a sample id. */
async function codesOfSources(): Promise<Set<string>> {
  const codes = new Set<string>();
  for (const folder of FOLDERS) {
    for (const name of await readdir(join(SOURCES, folder))) {
      if (!name.endsWith(".ts") || name === OF_ALERTS) continue;
      const text = await readFile(join(SOURCES, folder, name), "utf8");
      const isSuffixed = name === "reason-codes.ts" && folder === "domain/health";
      for (const [, code = ""] of text.matchAll(LITERAL)) {
        const stands = !isSuffixed || ["HEALTH_CRITICAL", "CIRCUIT_OPEN"].includes(code);
        codes.add(stands ? code : `PROVIDER_1_${code}`);
      }
      for (const [, suffix = ""] of text.matchAll(SUFFIX)) codes.add(`PROVIDER_1_${suffix}`);
    }
  }
  return codes;
}

describe("reason codes translated into plain sentences", () => {
  it("every code of the service's sources has its sentence", async () => {
    const codes = await codesOfSources();
    assert.ok(codes.size >= 40, `only ${codes.size} codes found`);
    const lacking = Array.from(codes).filter((code) => reasonSentence(code) === null);
    assert.deepEqual(lacking, []);
  });

  it("every code of any decision has its sentence, but for a policy's own", () => {
    fc.assert(
      fc.property(decideInput, (input) => {
        const { reasonCodes, risk } = decide(input);
        for (const code of [...reasonCodes, ...risk.reasonCodes]) {
          assert.ok(reasonSentence(code) !== null || CUSTOM_CODES.some((own) => own === code), code);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("the specification's examples and the client library's codes are among them", () => {
    const examples = [
      "CIRCUIT_OPEN",
      "HOLD_REVIEW_REJECTED",
      "COST_ABOVE_POLICY_LIMIT",
      ...CLIENT_REASON_CODES,
    ];
    for (const code of examples) assert.match(reasonSentence(code) ?? "", /^[A-Z].*\.$/);
  });

  it("names the provider whose health a code is about, with any id", () => {
    assert.equal(
      reasonSentence("BANK_OF_X_TIMEOUT_RATE_ELEVATED"),
      "bank_of_x times out more often than it should.",
    );
    assert.equal(
      reasonSentence("PROVIDER_1_HEALTHY_FOR_SEGMENT"),
      "provider_1 is healthy for this payment method and currency.",
    );
  });

  it("claims nothing of a code it does not know", () => {
    for (const code of ["MY_OWN_RULE", "constructor", "OPTIMIZED_FOR_FUN", "_RECOVERING"]) {
      assert.equal(reasonSentence(code), null);
    }
  });
});

describe("an incident that a provider reports is shown if it opens no alert", () => {
  const probed = ["provider_1:card:USD", "provider_2:card:USD", "provider_2:card:EUR"].map((segment_key) =>
    snapshot(segment_key.slice(0, 10), { segment_key }),
  );
  const incidentOf = (provider: string) =>
    ({ provider, severity: "major", paymentMethod: null, currency: null, untilMs: 1 }) as const;
  const shown = (...providers: string[]) =>
    mergeOverlays(probed, reportOverlay(probed, [], { lags: [], incidents: providers.map(incidentOf) }, 0));

  it("names the providers with reports, from provider health", () => {
    assert.equal(incidentText(shown()), undefined);
    assert.equal(incidentText(shown("provider_2")), "provider_2 has reported an incident.");
    assert.equal(
      incidentText(shown("provider_1", "provider_2")),
      "provider_1 and provider_2 have reported an incident.",
    );
  });
});
