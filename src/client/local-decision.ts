import type { CLIENT_REASON_CODES } from "../domain/vocabulary/client-reason-codes.js";
import type { ProviderId } from "../domain/vocabulary/decision-request.js";
import type { ServiceDecision } from "./wire-types.js";

export type ClientReasonCode = (typeof CLIENT_REASON_CODES)[number];

/**
 * A decision that the client makes while the service gives none. It has the shape of the service's decisions. Its id is
 * `local_…`, which the service does not know, so report no outcome for it. Risk and health are not assessed, and their
 * values show that.
 */
export interface LocalDecision extends Omit<ServiceDecision, "model"> {
  model: { model_version: "local-fallback"; route_scores: Record<ProviderId, number> };
}

export type Decision = ServiceDecision | LocalDecision;
