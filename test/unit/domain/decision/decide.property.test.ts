import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import type { DecideInput, Decision } from "../../../../src/domain/decision/decision.js";
import { decide } from "../../../../src/domain/decision/decide.js";
import { writeReply } from "../../../../src/path/document/reply.js";
import { DecisionPolicy } from "../../../../src/domain/decision/decision-policy.js";
import { flatView } from "../../../../src/domain/health/snapshot.js";
import { decideInput, policy } from "../../../support/generators/arbitraries.js";

/** Checks `holds` on decisions with generated policies, requests, health and prices. */
function always(name: string, holds: (decision: Decision, input: DecideInput) => void, numRuns = 600): void {
  it(name, () =>
    fc.assert(
      fc.property(decideInput, (input) => holds(decide(input), input)),
      { numRuns },
    ),
  );
}

const eligible = ({ evaluations }: Decision) =>
  evaluations.filter(({ exclusionReason }) => exclusionReason === null);

describe("decide, on anything that validation lets through", () => {
  always("SVC-5, SVC-6: gives the same bytes again, and leaves its input as it was", (decision, input) => {
    const before = JSON.stringify(input.request);
    assert.equal(writeReply(decide(input), 1), writeReply(decision, 1));
    assert.equal(JSON.stringify(input.request), before);
  });

  it("SVC-6: gives the same bytes from a recompiled policy and from copied snapshots", () => {
    fc.assert(
      fc.property(decideInput, policy, (input, source) => {
        const here = { ...input, context: { ...input.context, policy: DecisionPolicy.of(source) } };
        const elsewhere = JSON.parse(JSON.stringify(source)) as typeof source;
        const copied = new Map<string, ReturnType<typeof input.context.health.find>>();
        const health = flatView("2", (...segment) => {
          const found = copied.get(segment[0]) ?? { ...input.context.health.find(...segment) };
          copied.set(segment[0], found);
          return found;
        });
        const there = {
          ...input,
          context: { ...input.context, policy: DecisionPolicy.of(elsewhere), health },
        };
        assert.equal(writeReply(decide(there), 1), writeReply(decide(here), 1));
      }),
      { numRuns: 400 },
    );
  });

  always("RES-5, SVC-1: has a null route if and only if the action is block", ({ instruction }) => {
    assert.equal(instruction.route === null, instruction.action === "block");
  });

  always(
    "RES-5: routes to an offered provider or the default provider",
    ({ instruction }, { request, context }) => {
      if (instruction.route === null) return;
      const { primaryProvider } = instruction.route;
      const isDefault = primaryProvider === (context.policy?.compiled.defaultProvider ?? null);
      assert.ok(isDefault || request.available_providers.includes(primaryProvider));
      if (instruction.action === "use_default_route") assert.ok(isDefault);
    },
  );

  always("RES-5: falls back only on another, eligible provider", (decision) => {
    const { route } = decision.instruction;
    if (route === null || route.fallbackProvider === null) return;
    assert.notEqual(route.fallbackProvider, route.primaryProvider);
    assert.ok(eligible(decision).some(({ provider }) => provider === route.fallbackProvider));
  });

  always(
    "SCORE-9: takes an eligible primary wherever there is one, with a fallback wherever there are two",
    (decision) => {
      const { route } = decision.instruction;
      const candidates = eligible(decision);
      if (route === null || candidates.length === 0) return;
      assert.ok(candidates.some(({ provider }) => provider === route.primaryProvider));
      assert.equal(route.fallbackProvider !== null, candidates.length > 1);
    },
  );

  always(
    "SCORE-4: evaluates every offered provider, in order, with scores in 0..100 of at most two decimals",
    (decision, input) => {
      const { evaluations } = decision;
      assert.deepEqual(
        evaluations.map(({ provider }) => provider),
        input.request.available_providers,
      );
      for (const { routeScore } of evaluations) {
        assert.ok(routeScore >= 0 && routeScore <= 100);
        assert.equal(Math.round(routeScore * 100) / 100, routeScore);
      }
    },
  );

  always(
    "CODE-6, FMT-5, RES-12: explains itself in UPPER_SNAKE codes, each once, the risk's own among them",
    ({ reasonCodes, risk }) => {
      assert.equal(new Set(reasonCodes).size, reasonCodes.length);
      for (const code of reasonCodes) assert.match(code, /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/);
      for (const code of risk.reasonCodes) assert.ok(reasonCodes.includes(code));
    },
  );

  always("prices the primary exactly on a routed deterministic-v2 decision", ({ instruction, model }) => {
    const expected = model.version === "deterministic-v2" && instruction.action !== "block";
    assert.equal(model.price !== null, expected);
  });

  always("SVC-9: behaves alike in test and live mode, where no rule asks for the mode", (decision, input) => {
    if (input.context.policy !== null) return;
    const other = decide({ ...input, mode: input.mode === "test" ? "live" : "test" });
    assert.equal(writeReply({ ...other, mode: decision.mode }, 1), writeReply(decision, 1));
  });
});

describe("client-side fallback codes are never emitted by the service", () => {
  const CLIENT_CODES = ["SDK_FALLBACK_USED", "PAYINFERENCE_TIMEOUT", "PAYINFERENCE_UNREACHABLE"];

  always("CODE-5: in a decision", (decision) => {
    const text = writeReply(decision, 1);
    for (const code of CLIENT_CODES) assert.ok(!text.includes(code), code);
  });

  it("CODE-5: no source but the client and the page that explains codes knows them", () => {
    const root = new URL("../../../../../", import.meta.url);
    const sources = ["src/", "workers/"].flatMap((folder) =>
      readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" }).map((file) => folder + file),
    );
    // Leaves out the list of codes that no policy may make the service emit.
    const refused = "src/domain/vocabulary/client-reason-codes.ts";
    assert.ok(sources.includes(refused));
    const service = sources.filter(
      (file) =>
        file.endsWith(".ts") &&
        !file.startsWith("src/client/") &&
        !file.startsWith("src/dashboard/") &&
        file !== refused,
    );
    assert.ok(service.includes("src/domain/decision/decide.ts"));
    for (const file of service) {
      const source = readFileSync(new URL(file, root), "utf8");
      for (const code of CLIENT_CODES) assert.ok(!source.includes(code), `${file} knows ${code}`);
    }
  });
});
