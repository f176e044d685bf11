import { ALERT_KINDS, alertKindRow, type AlertAudience } from "../../domain/vocabulary/alert-kinds.js";

/** The workspace of alerts that every workspace sees. */
export const EVERYBODY = "0".repeat(32);

/** The workspace of alerts for the platform admin. It belongs to no tenant. */
export const PLATFORM = "f".repeat(32);

const WORKSPACES = {
  everybody: `'${EVERYBODY}'`,
  workspace: "$1",
  platform_admin: `'${PLATFORM}'`,
} as const satisfies Record<AlertAudience, string>;

/**
 * Returns SQL that selects the alerts shown to the audience. `$1` is the reading workspace. Alerts of a kind that only
 * a newer node knows are not selected.
 */
export function shownTo(audience: AlertAudience): string {
  const rows = ALERT_KINDS.map(alertKindRow).filter((row) => row.shownTo.includes(audience));
  const codes = rows.map(({ code }) => code);
  return `(workspace_id = ${WORKSPACES[audience]} and kind in (${codes.join(", ")}))`;
}
