import type { CLIENT_REASON_CODES } from "../domain/vocabulary/client-reason-codes.js";
import type { ProviderId } from "../domain/vocabulary/decision-request.js";
import type { ServiceDecision } from "./wire-types.js";

export type ClientReasonCode = (typeof CLIENT_REASON_CODES)[number];

/**
 * A decision in the same shape, made by the client while the service gave none. Its id is `local_…`: the service does
 * not know it, so no outcome is reported for it. Risk and health are not assessed, which their values say.
 */
export interface LocalDecision extends Omit<ServiceDecision, "model"> {
  model: { model_version: "local-fallback"; route_scores: Record<ProviderId, number> };
}

export type Decision = ServiceDecision | LocalDecision;
