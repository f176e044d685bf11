import type { Simulation } from "../../../../client/wire-types.js";
import { Badge } from "../../../design/base/badge.js";
import { formatAmount, formatName } from "../../../design/base/format.js";
import { Icon } from "../../../design/base/icon.js";
import { ACTION_TONES, HEALTH_TONES, RISK_TONES } from "../../../design/base/tones.js";
import { Foreign } from "../../../design/base/foreign.js";

/** Shows the instruction and its reasons. */
export function SimulationResult({ simulation, ruleCount }: { simulation: Simulation; ruleCount: number }) {
  const { action, route, risk, model, cost, reason_codes } = simulation;
  return (
    <div className="simulation">
      <div className="simulation-head">
        <Badge tone={ACTION_TONES[action]}>{formatName(action)}</Badge>
        {route === null ? (
          <span className="muted">no route</span>
        ) : (
          <span>
            <strong>{route.primary_provider}</strong>
            <span className="muted"> then {route.fallback_provider ?? "nobody"}</span>
          </span>
        )}
      </div>
      <dl className="simulation-facts">
        <div>
          <dt className="muted">Risk</dt>
          <dd>
            {risk.score} <Badge tone={RISK_TONES[risk.band]}>{formatName(risk.band)}</Badge>
          </dd>
        </div>
        <div>
          <dt className="muted">Model</dt>
          <dd>{model.model_version}</dd>
        </div>
        {cost === null ? null : (
          <div>
            <dt className="muted">Estimated cost</dt>
            <dd>
              {cost.estimated_cost_minor === null ? (
                "not known"
              ) : (
                <>
                  {formatAmount(cost.estimated_cost_minor, cost.currency)}{" "}
                  <span className="muted">{cost.effective_bps} bps</span>
                </>
              )}
            </dd>
          </div>
        )}
      </dl>
      <ProviderScores evaluations={simulation.provider_evaluations} />
      <RuleEvaluations evaluations={simulation.rule_evaluations ?? []} ruleCount={ruleCount} />
      <div>
        <h3>Reason codes</h3>
        <p className="codes">
          {reason_codes.map((code) => (
            <Badge key={code} tone="neutral" isPlain>
              <code>{code}</code>
            </Badge>
          ))}
        </p>
      </div>
    </div>
  );
}

function ProviderScores({ evaluations }: { evaluations: Simulation["provider_evaluations"] }) {
  return (
    <div>
      <h3>Scores</h3>
      <ul className="scores">
        {evaluations.map(({ provider, eligible, route_score, health_state, exclusion_reason }) => (
          <li key={provider} className={eligible ? "score" : "score score-out"}>
            <span className="score-name">
              <Foreign text={provider} />
            </span>
            <span className="score-track" aria-hidden="true">
              <span className="score-fill" style={{ width: `${route_score}%` }} />
            </span>
            <span className="numeric">{route_score.toFixed(2)}</span>
            <span className="score-why">
              {exclusion_reason === null ? (
                <Badge tone={HEALTH_TONES[health_state]}>{formatName(health_state)}</Badge>
              ) : (
                <code>{exclusion_reason}</code>
              )}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

type Evaluations = NonNullable<Simulation["rule_evaluations"]>;

function RuleEvaluations({ evaluations, ruleCount }: { evaluations: Evaluations; ruleCount: number }) {
  return (
    <div>
      <h3>Rules</h3>
      {evaluations.length === 0 ? (
        <p className="muted">{ruleCount === 0 ? "There is no rule." : "No rule is enabled."}</p>
      ) : (
        <ol className="evaluations">
          {evaluations.map(({ rule_id, name, matched, failed_condition }) => (
            <li key={rule_id} className={matched ? "evaluation tone-match" : "evaluation muted"}>
              <Icon name={matched ? "check" : "close"} />
              <span className="evaluation-name">
                <Foreign text={name} />
              </span>
              <span>
                {matched ? (
                  "matched"
                ) : (
                  <>
                    stopped by <code>{failed_condition}</code>
                  </>
                )}
              </span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
