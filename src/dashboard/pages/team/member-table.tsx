import type { Account, Member } from "../../api/wire-types.js";
import { Age } from "../../design/base/age.js";
import { Badge } from "../../design/base/badge.js";
import { Button } from "../../design/forms/button.js";
import { formatName } from "../../design/base/format.js";
import { Table, type Column } from "../../design/layout/table.js";
import { Twofold } from "../../design/layout/twofold.js";
import { useAccount } from "../../session/session.js";
import { ROLE_TONES } from "./roles.js";
import { Foreign } from "../../design/base/foreign.js";
import "./team.css";

interface MemberTableProps {
  members: readonly Member[];
  onChangeRole(member: Member): void;
  onResetPassword(member: Member): void;
  onResetCodes(member: Member): void;
  onRemove(member: Member): void;
}

export function MemberTable(props: MemberTableProps) {
  const account = useAccount();
  return (
    <Table
      caption="Members"
      columns={columnsFor(props, account)}
      rows={props.members}
      keyOf={({ user_id }) => user_id}
    />
  );
}

/** ACC-8, PATCH and DELETE /v1/team/:userId: returns why a role may not change a member, or null if it may. */
function refusalFor(role: Member["role"], member: Member): string | null {
  if (role === "owner") return null;
  if (role !== "admin") return "Owners and admins change the team";
  return member.role === "owner" ? "Only an owner changes an owner" : null;
}

function columnsFor(actions: Actions, { user, role: ownRole }: Account): Column<Member>[] {
  return [
    {
      key: "person",
      title: "Person",
      cell: ({ user_id, name, email }) => (
        <Twofold
          first={
            <>
              <Foreign text={name ?? email} />
              {user_id === user.user_id ? <span className="muted"> (you)</span> : null}
            </>
          }
          second={name === null ? "No name given" : <Foreign text={email} />}
        />
      ),
    },
    {
      key: "role",
      title: "Role",
      cell: ({ role }) => (
        <Badge tone={ROLE_TONES[role]} isPlain>
          {formatName(role)}
        </Badge>
      ),
    },
    {
      key: "login",
      title: "Last sign-in",
      cell: ({ last_login_at }) =>
        last_login_at === null ? <span className="muted">never</span> : <Age at={last_login_at} />,
    },
    { key: "since", title: "Member since", cell: ({ created_at }) => <Age at={created_at} /> },
    {
      key: "change",
      title: "Actions",
      isNumeric: true,
      cell: (member) => (
        <MemberActions
          member={member}
          isSelf={member.user_id === user.user_id}
          refusal={refusalFor(ownRole, member)}
          {...actions}
        />
      ),
    },
  ];
}

type Actions = Omit<MemberTableProps, "members">;

interface MemberActionsProps extends Actions {
  member: Member;
  isSelf: boolean;
  /** The reason why the signed-in person may not change the member. Null if they may. */
  refusal: string | null;
}

function MemberActions(props: MemberActionsProps) {
  const { member, isSelf, refusal, onChangeRole, onResetPassword, onResetCodes, onRemove } = props;
  const name = member.name ?? member.email;
  return (
    <span className="member-actions" title={refusal ?? undefined}>
      <Button
        size="small"
        disabled={refusal !== null}
        aria-label={`Change role of ${name}`}
        onClick={() => onChangeRole(member)}
      >
        Change role
      </Button>
      {/* People change their own password and codes on the account page. */}
      {isSelf ? null : (
        <>
          <Button
            size="small"
            kind="quiet"
            disabled={refusal !== null}
            aria-label={`Reset password of ${name}`}
            onClick={() => onResetPassword(member)}
          >
            Reset password
          </Button>
          <Button
            size="small"
            kind="quiet"
            disabled={refusal !== null}
            aria-label={`Reset codes of ${name}`}
            onClick={() => onResetCodes(member)}
          >
            Reset codes
          </Button>
        </>
      )}
      <Button
        size="small"
        kind="quiet"
        disabled={refusal !== null}
        aria-label={`Remove ${name}`}
        onClick={() => onRemove(member)}
      >
        Remove
      </Button>
    </span>
  );
}
