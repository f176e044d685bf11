import { ALERT_KINDS, alertKindRow, type AlertAudience } from "../../domain/vocabulary/alert-kinds.js";

/** The workspace of alerts that are everybody's. */
export const EVERYBODY = "0".repeat(32);

/** The workspace of alerts that are the platform admin's; it is nobody's own. */
export const PLATFORM = "f".repeat(32);

const WORKSPACES = {
  everybody: `'${EVERYBODY}'`,
  workspace: "$1",
  platform_admin: `'${PLATFORM}'`,
} as const satisfies Record<AlertAudience, string>;

/**
 * SQL: the alerts of `alerts` that are shown to the audience; `$1` is the workspace that reads. A kind that a newer node
 * has stored is none of these.
 */
export function shownTo(audience: AlertAudience): string {
  const rows = ALERT_KINDS.map(alertKindRow).filter((row) => row.shownTo.includes(audience));
  const codes = rows.map(({ code }) => code);
  return `(workspace_id = ${WORKSPACES[audience]} and kind in (${codes.join(", ")}))`;
}
