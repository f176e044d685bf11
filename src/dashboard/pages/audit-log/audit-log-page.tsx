import { turnsOf } from "../../api/transport/list-cursor.js";
import type { AuditAction } from "../../../domain/vocabulary/audit-actions.js";
import { useAuditPage, type AuditFilters } from "../../api/audit-log.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Pagination } from "../../design/layout/pagination.js";
import { Panel } from "../../design/layout/panel.js";
import { Stack, StackBar } from "../../design/layout/stack.js";
import { AuditList } from "./audit-list.js";
import { useActorNames } from "../../session/actor-names.js";
import { AuditFiltersBar } from "./audit-filters.js";
import { useAuditFilters } from "./use-audit-filters.js";
import { EVER, ExportButton, type ExportedPart } from "../../shell/export-button.js";

const PAGE_SIZE = 25;
const HEIGHT_PX = 520;

/** ADM-5, DASH-34: shows the audit log, newest first. */
export default function AuditLogPage() {
  const { filters, cursor, isFiltered, setFilters, clear, turnTo } = useAuditFilters();
  const page = useAuditPage(filters, cursor, PAGE_SIZE);
  const { actors, isReady } = useActorNames();
  return (
    <Stack>
      <StackBar text="Every change to policies, keys, people, prices, secrets, drills and settings.">
        <ExportButton what="the audit log" partOf={(nowMs) => exportedPart(filters, nowMs)} />
      </StackBar>
      <AuditFiltersBar
        filters={filters}
        isFiltered={isFiltered}
        actors={actors}
        onChange={setFilters}
        onClear={clear}
      />
      <Panel title="Audit log" note="newest first" isFlush>
        <Loaded query={page} heightPx={HEIGHT_PX} isReady={isReady}>
          {({ entries, has_more }) =>
            entries.length === 0 ? (
              <EmptyState
                icon="audit"
                title={isFiltered ? "No entry matches these filters" : "Nothing has been changed yet"}
              />
            ) : (
              <>
                <AuditList
                  entries={entries}
                  isBusy={page.isPlaceholderData}
                  resource={filters.resource ?? null}
                  onResource={(resource) => setFilters({ resource })}
                />
                <Pagination
                  of="entries"
                  text={cursor === null ? "The newest entries" : "Earlier entries"}
                  {...turnsOf(
                    cursor,
                    entries.map(({ audit_id }) => audit_id),
                    has_more,
                    turnTo,
                  )}
                />
              </>
            )
          }
        </Loaded>
      </Panel>
    </Stack>
  );
}

/** EXP-14: the shown filters, in the form of an export. The service refuses an unknown action. */
function exportedPart(filters: AuditFilters, nowMs: number): ExportedPart {
  const { action, from = EVER, to = new Date(nowMs).toISOString(), ...rest } = filters;
  return {
    kind: "audit_log",
    from,
    to,
    ...rest,
    ...(action === undefined ? {} : { audit_action: action as AuditAction }),
  };
}
