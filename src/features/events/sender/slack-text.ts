import type { EventType, TEST_EVENT } from "../../../domain/vocabulary/event-types.js";

type Data = Readonly<Record<string, string | number | null>>;

/** EVT-9: each event as one line. Never add text that a person wrote, because Slack would read it as markup. */
const LINES: Readonly<Record<EventType | typeof TEST_EVENT, (data: Data) => string>> = {
  "alert.opened": ({ severity, kind, segment_key: segment }) =>
    `Alert opened (${severity}): ${kind}${segment === null ? "" : ` at ${segment}`}`,
  "alert.closed": ({ kind, segment_key: segment }) =>
    `Alert closed: ${kind}${segment === null ? "" : ` at ${segment}`}`,
  "decision.held": ({ decision_id: id, merchant_id: merchant, mode }) =>
    `Payment held for review: ${id} of ${merchant} (${mode})`,
  "decision.reviewed": ({ decision_id: id, merchant_id: merchant, resolution, mode }) =>
    `Payment ${resolution === "approve" ? "approved" : "rejected"}: ${id} of ${merchant} (${mode})`,
  "policy.published": ({ version, merchant_id: merchant }) => `Policy ${version} of ${merchant} published`,
  "experiment.changed": () => "An experiment changed",
  "export.ready": () => "An export is ready",
  "key.created": ({ api_key_id: id, mode }) => `API key created: ${id} (${mode})`,
  "key.revoked": ({ api_key_id: id, mode }) => `API key revoked: ${id} (${mode})`,
  "endpoint.test": () => "This is a test of PayInference's events",
};

/** The body for an incoming webhook of Slack. `body` is the stored event. */
export function slackBody(body: string): string {
  const { type, data } = JSON.parse(body) as { type: keyof typeof LINES; data: Data };
  return JSON.stringify({ text: LINES[type](data) });
}
