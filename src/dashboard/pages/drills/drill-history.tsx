import type { AuditEntry } from "../../api/wire-types.js";
import { useTeam } from "../../api/team.js";
import { Age } from "../../design/base/age.js";
import { Badge } from "../../design/base/badge.js";
import { Foreign } from "../../design/base/foreign.js";
import { formatName } from "../../design/base/format.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Pagination } from "../../design/layout/pagination.js";
import { Table, type Column } from "../../design/layout/table.js";
import { Twofold } from "../../design/layout/twofold.js";
import { drillOf } from "../../api/pin-history.js";
import { scopeText } from "../../explain/scope-text.js";
import { usePages } from "../../shell/address.js";

const PAGE_ROWS = 10;

/** DASH-19: who began and ended which drill. */
export function DrillHistory({ entries }: { entries: readonly AuditEntry[] }) {
  const { first, shown, isOnlyOne, turns } = usePages("history_page", entries, PAGE_ROWS);
  const team = useTeam();
  const names = new Map(team.data?.members.map(({ user_id, name, email }) => [user_id, name ?? email]));
  if (entries.length === 0) return <EmptyState icon="drills" title="No drill was held yet" />;
  return (
    <>
      <Table
        caption="Past drills"
        columns={columnsFor(names)}
        rows={shown}
        keyOf={({ audit_id }) => audit_id}
      />
      {isOnlyOne ? null : (
        <Pagination
          of="drills"
          text={`${first + 1}–${first + shown.length} of ${entries.length}, newest first`}
          {...turns}
        />
      )}
    </>
  );
}

function columnsFor(names: ReadonlyMap<string, string>): Column<AuditEntry>[] {
  return [
    {
      key: "provider",
      title: "Provider",
      cell: (entry) => (
        <Twofold first={<Foreign text={entry.resource} />} second={scopeText(drillOf(entry).scope)} />
      ),
    },
    {
      key: "what",
      title: "What",
      cell: (entry) => {
        const { state } = drillOf(entry);
        return state === undefined ? (
          <Badge tone="info">Ended</Badge>
        ) : (
          <Badge tone="watch">Began: {formatName(state).toLowerCase()}</Badge>
        );
      },
    },
    {
      key: "by",
      title: "By",
      cell: ({ actor }) => {
        const name = names.get(actor);
        return name === undefined ? "a former member" : <Foreign text={name} />;
      },
    },
    { key: "when", title: "When", cell: ({ created_at }) => <Age at={created_at} /> },
    {
      key: "ends",
      title: "Ends",
      cell: (entry) => {
        const { state, expiresAt } = drillOf(entry);
        if (state === undefined) return "";
        return expiresAt === undefined ? "when somebody ends it" : <Age at={expiresAt} />;
      },
    },
  ];
}
