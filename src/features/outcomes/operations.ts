import { SOFT_DECLINE_BLAMES } from "../../domain/outcomes/decline-blame.js";
import { HARD_DECLINE_CODES } from "../../domain/vocabulary/hard-decline-codes.js";
import type { JsonSchema } from "../../platform/wire/body-validator.js";
import type { Operations } from "../../platform/wire/operation.js";
import { outcomeReceiptSchema } from "./wire/outcome-response-schema.js";

/** Formats the published table of hard declines as Markdown for the document. */
function hardDeclineTable(): string {
  const rows = HARD_DECLINE_CODES.map(
    ({ code, meaning, source, date }) => `| \`${code}\` | ${meaning} | ${source} | ${date} |`,
  );
  return ["| Code | Meaning | Source | Since |", "|---|---|---|---|", ...rows].join("\n");
}

/** Formats the published table of blame as Markdown for the document, without the hard declines. */
function blameTable(): string {
  const rows = SOFT_DECLINE_BLAMES.map(
    ({ code, meaning, blame, source, date }) =>
      `| \`${code}\` | ${meaning} | ${blame} | ${source} | ${date} |`,
  );
  return ["| Code | Meaning | Blame | Source | Since |", "|---|---|---|---|---|", ...rows].join("\n");
}

/** The operation that reports the outcome of a decision. `report` is the body that this deployment accepts. */
export function outcomeOperations(report: JsonSchema): Operations {
  return {
    "POST /v1/outcomes": {
      operationId: "reportOutcome",
      tag: "Outcomes",
      summary: "Report what became of a decision",
      description: [
        "Reporting again for the same decision replaces the stored outcome. The aliases declined, error and cancelled are normalized: declined is hard_declined with one of these values of provider_reason_code, else soft_declined.",
        hardDeclineTable(),
        "A soft decline with one of these codes counts against no provider's health, and neither does a hard one.",
        blameTable(),
      ].join("\n\n"),
      body: report,
      answers: { 200: { description: "Stored; durable when this is sent.", schema: outcomeReceiptSchema } },
      refuses: {
        403: "The decision belongs to another merchant than the key's.",
        404: "The decision is unknown, or of another workspace or mode.",
        503: "The service is at its capacity, or outcomes cannot be recorded.",
      },
    },
  };
}
