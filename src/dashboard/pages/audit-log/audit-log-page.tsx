import { useAuditPage, type AuditCursor } from "../../api/audit-log.js";
import type { AuditLog } from "../../api/wire-types.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Chips } from "../../design/forms/chips.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Pagination } from "../../design/layout/pagination.js";
import { Panel } from "../../design/layout/panel.js";
import { Stack, StackBar } from "../../design/layout/stack.js";
import { useAddress } from "../../shell/address.js";
import { AuditList } from "./audit-list.js";
import { EVER, ExportButton } from "../../shell/export-button.js";

const PAGE_SIZE = 25;
const HEIGHT_PX = 520;

/** ADM-5: shows who did what, newest first. */
export default function AuditLogPage() {
  const { parameters, edit } = useAddress();
  const cursor = cursorOf(parameters);
  const turnTo = ({ direction, auditId }: AuditCursor): void =>
    edit({ starting_after: null, ending_before: null, [direction]: auditId });
  const merchantId = parameters.get("merchant");
  const page = useAuditPage(cursor, PAGE_SIZE, merchantId);
  return (
    <Stack>
      <StackBar text="Every change to policies, keys, people, prices, secrets, drills and settings.">
        <ExportButton
          what="the audit log"
          partOf={(nowMs) => ({ kind: "audit_log", from: EVER, to: new Date(nowMs).toISOString() })}
        />
      </StackBar>
      {merchantId === null ? null : (
        <Chips
          label="Filters; press one to lift it"
          options={[]}
          chosen={[merchantId]}
          textOf={(id) => `Merchant: ${id}`}
          onChange={() => edit({ merchant: null, starting_after: null, ending_before: null })}
        />
      )}
      <Panel title="Audit log" note="newest first" isFlush>
        <Loaded query={page} heightPx={HEIGHT_PX}>
          {({ entries, has_more }) =>
            entries.length === 0 ? (
              <EmptyState icon="audit" title="Nothing has been changed yet" />
            ) : (
              <>
                <AuditList entries={entries} isBusy={page.isPlaceholderData} />
                <Pagination
                  of="entries"
                  text={cursor === null ? "The newest entries" : "Earlier entries"}
                  {...turnsOf(cursor, { entries, has_more }, turnTo)}
                />
              </>
            )
          }
        </Loaded>
      </Panel>
    </Stack>
  );
}

function cursorOf(parameters: URLSearchParams): AuditCursor | null {
  for (const direction of ["starting_after", "ending_before"] as const) {
    const auditId = parameters.get(direction);
    if (auditId !== null) return { direction, auditId };
  }
  return null;
}

/** LIST-5: `has_more` is about the direction walked. In the other direction there is always the page before. */
function turnsOf(
  cursor: AuditCursor | null,
  { entries, has_more }: AuditLog,
  turnTo: (cursor: AuditCursor) => void,
) {
  const isNewer = cursor?.direction === "ending_before";
  const [first, last] = [entries[0], entries.at(-1)];
  const hasNewer = cursor !== null && (!isNewer || has_more);
  const hasOlder = isNewer || has_more;
  return {
    onPrevious:
      hasNewer && first !== undefined
        ? () => turnTo({ direction: "ending_before", auditId: first.audit_id })
        : null,
    onNext:
      hasOlder && last !== undefined
        ? () => turnTo({ direction: "starting_after", auditId: last.audit_id })
        : null,
  };
}
