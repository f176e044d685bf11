import type { CLIENT_REASON_CODES } from "../domain/vocabulary/client-reason-codes.js";
import type { ProviderId } from "../domain/vocabulary/decision-request.js";
import type { ServiceDecision } from "./wire-types.js";

export type ClientReasonCode = (typeof CLIENT_REASON_CODES)[number];

/**
 * A decision of the client for the time when the service gives none, in the same shape. Its id is `local_…`. The
 * service does not know that id, so no outcome is reported for it. Risk and health are not assessed, and their values
 * show that.
 */
export interface LocalDecision extends Omit<ServiceDecision, "model"> {
  model: { model_version: "local-fallback"; route_scores: Record<ProviderId, number> };
}

export type Decision = ServiceDecision | LocalDecision;
