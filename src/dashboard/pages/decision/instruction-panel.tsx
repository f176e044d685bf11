import type { DecisionDetail } from "../../../client/wire-types.js";
import type { DecisionMode } from "../../../domain/vocabulary/vocabulary.js";
import { useOrderDecisions } from "../../api/decisions.js";
import { Age } from "../../design/base/age.js";
import { Badge } from "../../design/base/badge.js";
import { Copyable } from "../../design/feedback/copyable.js";
import { Facts } from "../../design/layout/facts.js";
import { formatAmount, formatName } from "../../design/base/format.js";
import { Panel } from "../../design/layout/panel.js";
import { ACTION_TONES } from "../../design/base/tones.js";
import { decisiveTexts, instructionCodes } from "../../explain/decisive-texts.js";
import { instructionText } from "../../explain/instruction-text.js";
import { latencyText } from "../../explain/latency-text.js";
import { ReasonList } from "../../explain/reason-list.js";
import { useMode } from "../../shell/mode.js";

const NOTES = {
  enforce: "binding",
  shadow: "shadow: advice only, your backend ran its own logic",
} as const satisfies Record<DecisionMode, string>;

/** Shows the instruction for the merchant's backend and its reasons. */
export function InstructionPanel({ decision }: { decision: DecisionDetail }) {
  const { action, route, transaction, policy, model, decision_latency_ms, ttl_ms } = decision;
  const { mode } = useMode();
  // The detail lacks the decision mode, but the list has it.
  const row = useOrderDecisions(mode, decision.order_id).data?.decisions.find(
    ({ decision_id }) => decision_id === decision.decision_id,
  );
  const facts = [
    ["Amount", <strong key="amount">{formatAmount(transaction.amount, transaction.currency)}</strong>],
    ["Payment method", `${formatName(transaction.payment_method)}, ${transaction.country}`],
    ["Order", <Copyable key="order" label="order id" text={decision.order_id} />],
    ["Merchant", <Copyable key="merchant" label="merchant id" text={decision.merchant_id} />],
    ["Decision", <Copyable key="decision" label="decision id" text={decision.decision_id} />],
    ["Made", <Age key="made" at={decision.created_at} />],
    ["Decided in", latencyText(decision_latency_ms)],
    ["Good for", `${ttl_ms / 1000} s after it was made`],
    [
      "Policy",
      policy.policy_id === null || policy.policy_version === null ? (
        "none published"
      ) : (
        <Copyable key="policy" label="policy id" text={policy.policy_id} />
      ),
    ],
    ["Policy version", policy.policy_version ?? "–"],
    ["Model", model.model_version],
    ["Provider health from", decision.provider_health_source],
  ] as const;
  return (
    <Panel title="Instruction" note={row && NOTES[row.decision_mode]}>
      <p className="instruction">
        <Badge tone={ACTION_TONES[action]}>{formatName(action)}</Badge>
        <span className="instruction-text">{instructionText(action, route)}</span>
      </p>
      <div className="instruction-parts">
        <div>
          <h3 className="part-title">Why</h3>
          <ReasonList codes={instructionCodes(decision)} notesOf={(code) => decisiveTexts(code, decision)} />
        </div>
        <div>
          <h3 className="part-title">What was asked</h3>
          <Facts facts={facts} />
        </div>
      </div>
    </Panel>
  );
}
