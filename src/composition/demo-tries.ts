import { demoRequest, type Demo } from "./demo.js";

interface Try {
  action: "block" | "hold" | "step_up" | "failover";
  /** The part of the request, or the situation, that causes the action. */
  because: string;
  /** Shell commands, ready to be pasted. */
  commands: readonly string[];
}

/** Above the threshold of 90 in ACT-3. */
const RISK_SCORE = 95;
/** In minor units of USD. A payment is held from HOLD_FROM on, and stepped up from STEP_UP_FROM on. */
const HOLD_FROM = 500_000;
const STEP_UP_FROM = 200_000;

const POLICY_RULES = [
  {
    name: "Hold large payments",
    priority: 1,
    when: { currency_in: ["USD"], amount_gte: HOLD_FROM },
    then: { type: "hold" },
  },
  {
    name: "Step up sizeable payments",
    priority: 2,
    when: { currency_in: ["USD"], amount_gte: STEP_UP_FROM },
    then: { type: "step_up" },
  },
];

/**
 * SET-12: one example for each instruction, for a new person to send. Their order matters: a policy is published before
 * the decisions that need it.
 */
export function demoTries(url: string, demo: Demo, providers: readonly string[]): readonly Try[] {
  const post = (path: string, body: string): string =>
    `curl -s ${url}${path} -H 'x-api-key: ${demo.api_key}' -H 'content-type: application/json' -d '${body}'`;
  const decide = (transaction: object, more: object = {}): string => {
    const request = JSON.parse(demoRequest(demo, providers)) as { transaction: object };
    const changed = { ...request, transaction: { ...request.transaction, ...transaction }, ...more };
    return post("/v1/decision", JSON.stringify(changed));
  };
  const policy = { merchant_id: demo.merchant_id, name: "First look", publish: true, rules: POLICY_RULES };
  const [first = ""] = providers;
  const login = JSON.stringify({ email: demo.email, password: demo.password });
  const pin = `${url}/v1/admin/provider-overrides/${first}`;
  return [
    {
      action: "block",
      because: `a risk_score of ${RISK_SCORE}, above the threshold of 90`,
      commands: [decide({ risk_score: RISK_SCORE })],
    },
    {
      action: "hold",
      because: `a published rule for amounts from ${HOLD_FROM} on`,
      commands: [post("/v1/policies", JSON.stringify(policy)), decide({ amount: HOLD_FROM })],
    },
    {
      action: "step_up",
      because: `the same policy's rule for amounts from ${STEP_UP_FROM} on`,
      commands: [decide({ amount: STEP_UP_FROM })],
    },
    {
      action: "failover",
      because: `a timeout at ${first}, which a drill shows as unavailable; lift it on the dashboard's page Drills`,
      commands: [
        `TOKEN=$(curl -s ${url}/v1/auth/login -H 'content-type: application/json' -d '${login}' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')`,
        `curl -s -X PUT ${pin} -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' -d '{"state":"unavailable"}'`,
        decide({}, { previous_attempt: { provider: first, outcome: "timeout" } }),
      ],
    },
  ];
}

/** The examples of `demoTries` as text. */
export function demoTriesText(url: string, demo: Demo, providers: readonly string[]): string {
  return demoTries(url, demo, providers)
    .map(({ action, because, commands }) => `# ${action}: ${because}\n${commands.join("\n")}\n`)
    .join("\n");
}
