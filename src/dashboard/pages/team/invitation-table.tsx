import type { Invitation } from "../../api/wire-types.js";
import { Age, Until } from "../../design/base/age.js";
import { Badge } from "../../design/base/badge.js";
import { formatName } from "../../design/base/format.js";
import { Table, type Column } from "../../design/layout/table.js";
import { ROLE_TONES } from "./roles.js";
import { Foreign } from "../../design/base/foreign.js";

const COLUMNS: readonly Column<Invitation>[] = [
  { key: "email", title: "E-mail", cell: ({ email }) => <Foreign text={email} /> },
  {
    key: "role",
    title: "Role",
    cell: ({ role }) => (
      <Badge tone={ROLE_TONES[role]} isPlain>
        {formatName(role)}
      </Badge>
    ),
  },
  { key: "sent", title: "Invited", cell: ({ created_at }) => <Age at={created_at} /> },
  { key: "ends", title: "Expires", isNumeric: true, cell: ({ expires_at }) => <Until at={expires_at} /> },
];

export function InvitationTable({ invitations }: { invitations: readonly Invitation[] }) {
  return (
    <Table
      caption="Invitations"
      columns={COLUMNS}
      rows={invitations}
      keyOf={({ invitation_id }) => invitation_id}
    />
  );
}
