import { realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { DecideInput, DecisionContext } from "../src/domain/decision/decision.js";
import { decide } from "../src/domain/decision/decide.js";
import { writeReply } from "../src/path/document/reply.js";
import { toPolicyFacts } from "../src/domain/policy/compile-policy.js";
import { DecisionPolicy } from "../src/domain/decision/decision-policy.js";
import type { PolicyFacts } from "../src/domain/policy/policy-facts.js";
import { assessRisk } from "../src/domain/risk/assess-risk.js";
import { median } from "./harness/bench-rounds.js";
import { lookAtHost } from "./harness/watch-host.js";
import { healthView, request } from "./engine/engine-inputs.js";
import { policy } from "./engine/engine-policy.js";
import { measureCachedKey, type CachedKeyFigure } from "./engine/cached-key.js";
import { measureLearning, type LearningFigure } from "./engine/learning.js";
import { measurePolicyCheck, type PolicyCheckFigure } from "./engine/policy-check.js";
import { measurePricedEngine } from "./engine/priced-engine.js";

/** One row of the table; times are microseconds per request, medians over the repetitions. */
export interface EngineMeasurement {
  rules: number;
  /** Evaluating the compiled policy alone. */
  policyUs: number;
  /** decide(), the policy's evaluation included. */
  decideUs: number;
  /** writeReply(), read to its last byte as a socket would. */
  renderUs: number;
}

/** Figures that are compared with the plainest decision of the same pass. A slow host is slow for all of them. */
export interface EnginePass {
  rows: readonly EngineMeasurement[];
  policyCheck: PolicyCheckFigure;
  cachedKey: CachedKeyFigure;
  learning: LearningFigure;
}

export async function measureEnginePass(): Promise<EnginePass> {
  return {
    rows: await measureEngine(),
    policyCheck: measurePolicyCheck(),
    cachedKey: await measureCachedKey(),
    learning: measureLearning(),
  };
}

const RULE_COUNTS = [1, 10, 100] as const;
const REQUESTS = 512;
const REPETITIONS = 15;
const CALLS_PER_REPETITION = 10_000;
const NOW_MS = Date.UTC(2026, 10, 20, 12);

/** Microseconds of one call: the mean within each repetition, and the median over the repetitions. */
function medianUs(call: (index: number) => number): number {
  const perCallUs: number[] = [];
  let sink = 0;
  for (let repetition = 0; repetition <= REPETITIONS; repetition++) {
    const startedAt = process.hrtime.bigint();
    for (let i = 0; i < CALLS_PER_REPETITION; i++) sink += call(i % REQUESTS);
    // The first repetition only warms up.
    if (repetition > 0) {
      perCallUs.push(Number(process.hrtime.bigint() - startedAt) / 1000 / CALLS_PER_REPETITION);
    }
  }
  if (Number.isNaN(sink)) throw new Error("a call gave no number");
  return perCallUs.toSorted((a, b) => a - b)[REPETITIONS >> 1] as number;
}

/**
 * Each figure's median over passes at different times. The figures are microseconds, and a host that is slow during one
 * pass doubles all of them.
 */
export function acrossPasses(passes: readonly EnginePass[]): EngineMeasurement[] {
  return RULE_COUNTS.map((rules, row) => {
    const across = (figure: keyof EngineMeasurement): number =>
      median(passes.map(({ rows }) => rows[row]?.[figure] ?? Number.NaN));
    return {
      rules,
      policyUs: across("policyUs"),
      decideUs: across("decideUs"),
      renderUs: across("renderUs"),
    };
  });
}

/** The pure engine on one thread, 3 offered providers, policies of 1, 10 and 100 rules of 3 conditions. */
async function measureEngine(): Promise<EngineMeasurement[]> {
  const health = healthView();
  const requests = Array.from({ length: REQUESTS }, (_, index) => request(index));
  const reply = Buffer.allocUnsafe(16_384);

  return RULE_COUNTS.map((rules) => {
    const published = DecisionPolicy.of(policy(rules));
    const { compiled } = published;
    const context: DecisionContext = {
      policy: published,
      health,
      riskBlockThreshold: 90,
      normalAmountMaxMinor: 100_000,
      defaultDecisionMode: "enforce",
      pricing: null,
    };
    const inputs: DecideInput[] = requests.map((body) => ({
      request: body,
      context,
      mode: "test",
      decisionId: "dec_01jd4wqk2m0000000000000000",
      nowMs: NOW_MS,
    }));
    const facts: PolicyFacts[] = requests.map((body) =>
      toPolicyFacts(
        body,
        "test",
        "enforce",
        assessRisk({
          transaction: body.transaction,
          signals: body.risk_signals ?? {},
          normalAmountMaxMinor: null,
        }),
        NOW_MS,
        health,
      ),
    );
    const decisions = inputs.map(decide);

    const policyUs = medianUs((index) => compiled.evaluate(facts[index] as PolicyFacts).matchedRules.length);
    const decideUs = medianUs((index) => decide(inputs[index] as DecideInput).reasonCodes.length);
    const renderUs = medianUs((index) =>
      reply.write(writeReply(decisions[index] as (typeof decisions)[number], index / 1000), "latin1"),
    );
    return { rules, policyUs, decideUs, renderUs };
  });
}

// `dist` is a link, and Node resolves links in a module's address.
if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  process.stdout.write(`${lookAtHost().line}\n`);
  const { rows, policyCheck, cachedKey, learning } = await measureEnginePass();
  const cell = (text: string): string => text.padStart(16);
  const lines = rows.map(({ rules, policyUs, decideUs, renderUs }) =>
    [String(rules), ...[policyUs, decideUs, renderUs, decideUs + renderUs].map((us) => us.toFixed(2))]
      .map(cell)
      .join(""),
  );
  const head = ["rules", "evaluate policy", "decide", "render", "decide + render"].map(cell).join("");
  const title = "microseconds per request, medians; 3 offered providers, rules of 3 conditions";
  const checked = `validating and compiling ${policyCheck.rules} rules: ${policyCheck.checkMs.toFixed(2)} ms, median`;
  const priced = measurePricedEngine();
  const pricedLine = `decide + render with ${priced.rules} prices: v2 ${priced.v2Us.toFixed(2)}, v1 ${priced.v1Us.toFixed(2)}, ratio ${priced.ratio.toFixed(3)}`;
  const { keys, authenticateUs } = cachedKey;
  const keyLine = `authenticating one of ${keys} cached keys: ${authenticateUs.toFixed(2)}`;
  const learningLine = `learning an outcome of one of ${learning.places} places: ${learning.learnUs.toFixed(2)}`;
  process.stdout.write(`${[title, head, ...lines, checked, pricedLine, keyLine, learningLine].join("\n")}\n`);
}
