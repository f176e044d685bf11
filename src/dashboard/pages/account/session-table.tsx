import type { Session } from "../../api/wire-types.js";
import { Age, Until } from "../../design/base/age.js";
import { Badge } from "../../design/base/badge.js";
import { Foreign } from "../../design/base/foreign.js";
import { Button } from "../../design/forms/button.js";
import { Table, type Column } from "../../design/layout/table.js";
import { Twofold } from "../../design/layout/twofold.js";

interface SessionTableProps {
  sessions: readonly Session[];
  /** True while a session is being ended. */
  isBusy: boolean;
  onEnd(session: Session): void;
}

export function SessionTable({ sessions, ...options }: SessionTableProps) {
  return (
    <Table
      caption="Sessions"
      columns={columnsFor(options)}
      rows={sessions}
      keyOf={({ session_id }) => session_id}
    />
  );
}

function nameOf({ device }: Session): string {
  return device ?? "Unknown device";
}

function columnsFor({ isBusy, onEnd }: Omit<SessionTableProps, "sessions">): Column<Session>[] {
  return [
    {
      key: "device",
      title: "Device",
      cell: (session) => (
        <Twofold
          first={
            <>
              {nameOf(session)} {session.current ? <Badge tone="good">This session</Badge> : null}
            </>
          }
          second={session.address ?? "Unknown address"}
        />
      ),
    },
    { key: "workspace", title: "Workspace", cell: ({ workspace_name }) => <Foreign text={workspace_name} /> },
    { key: "began", title: "Signed in", cell: ({ created_at }) => <Age at={created_at} /> },
    { key: "seen", title: "Last seen", cell: ({ last_seen_at }) => <Age at={last_seen_at} /> },
    { key: "ends", title: "Ends unused", cell: ({ expires_at }) => <Until at={expires_at} /> },
    {
      key: "end",
      title: "Actions",
      isNumeric: true,
      // The current session ends by signing out, so it has no button here.
      cell: (session) =>
        session.current ? null : (
          <Button
            size="small"
            kind="quiet"
            disabled={isBusy}
            aria-label={`End the session of ${nameOf(session)}`}
            onClick={() => onEnd(session)}
          >
            End
          </Button>
        ),
    },
  ];
}
