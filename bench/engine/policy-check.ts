import {
  createPolicyValidator,
  type ValidPolicy,
} from "../../src/features/policies/wire/policy-validator.js";
import { compilePolicy } from "../../src/domain/policy/compile-policy.js";
import { policy, PROVIDERS } from "./engine-policy.js";

export interface PolicyCheckFigure {
  rules: number;
  /** The median time to validate, lint and compile a policy. */
  checkMs: number;
}

const RULES = 100;
const WARM_UP_CALLS = 50;
const CALLS = 200;

/** Measures the cost of a publish for the thread that accepts it. Each worker pays a part of it too. */
export function measurePolicyCheck(): PolicyCheckFigure {
  let issued = 0;
  const validator = createPolicyValidator({
    providers: PROVIDERS,
    nextId: () => String(issued++).padStart(26, "0"),
  });
  const source = policy(RULES);
  const text = JSON.stringify({ default_provider: source.default_provider, rules: source.rules });
  const timesMs: number[] = [];
  for (let call = -WARM_UP_CALLS; call < CALLS; call++) {
    const sent = JSON.parse(text) as ValidPolicy;
    const startedMs = performance.now();
    const judged = validator.validate(sent);
    if (!judged.ok) throw new Error(`the bench's policy is refused: ${JSON.stringify(judged.issues)}`);
    const compiled = compilePolicy({ ...source, ...judged.policy });
    if (call >= 0) timesMs.push(performance.now() - startedMs);
    if (compiled.defaultProvider !== source.default_provider) throw new Error("another policy was compiled");
  }
  return { rules: RULES, checkMs: timesMs.toSorted((a, b) => a - b)[CALLS >> 1] as number };
}
