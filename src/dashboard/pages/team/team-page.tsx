import { useState } from "react";
import { useTeam } from "../../api/team.js";
import type { Member } from "../../api/wire-types.js";
import { Button } from "../../design/forms/button.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Panel } from "../../design/layout/panel.js";
import { Stack, StackBar } from "../../design/layout/stack.js";
import { useAccount, useHasRole } from "../../session/session.js";
import { ChangeRoleDialog } from "./change-role-dialog.js";
import { InvitationTable } from "./invitation-table.js";
import { InviteDialog } from "./invite-dialog.js";
import { MemberTable } from "./member-table.js";
import { ResetCodesDialog } from "./reset-codes-dialog.js";
import { ResetPasswordDialog } from "./reset-password-dialog.js";
import { RemoveMemberDialog } from "./remove-member-dialog.js";

const MEMBERS_HEIGHT_PX = 200;
const INVITATIONS_HEIGHT_PX = 160;

type Opened = { kind: "invite" } | { kind: "role" | "reset" | "codes" | "remove"; member: Member };

/** Lists the members of the workspace, their roles, and open invitations. */
export default function TeamPage() {
  const team = useTeam();
  const { role } = useAccount();
  const mayChange = useHasRole(["owner", "admin"]);
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = (): void => setOpened(null);
  return (
    <Stack>
      <StackBar
        text={
          mayChange
            ? "People who sign in to this workspace, and what they may do in it."
            : `Owners and admins change the team. Your role here is ${role}.`
        }
      >
        <Button kind="primary" disabled={!mayChange} onClick={() => setOpened({ kind: "invite" })}>
          Invite somebody
        </Button>
      </StackBar>
      <Panel title="Members" note={team.data && `${team.data.members.length}`} isFlush>
        <Loaded query={team} heightPx={MEMBERS_HEIGHT_PX}>
          {({ members }) => (
            <MemberTable
              members={members}
              onChangeRole={(member) => setOpened({ kind: "role", member })}
              onResetPassword={(member) => setOpened({ kind: "reset", member })}
              onResetCodes={(member) => setOpened({ kind: "codes", member })}
              onRemove={(member) => setOpened({ kind: "remove", member })}
            />
          )}
        </Loaded>
      </Panel>
      {/* The list of members must have its height first. Otherwise the part below it would move. */}
      {team.isPending ? null : (
        <Panel title="Invitations" note={team.data && `${team.data.invitations.length} open`} isFlush>
          <Loaded query={team} heightPx={INVITATIONS_HEIGHT_PX}>
            {({ invitations }) =>
              invitations.length === 0 ? (
                <EmptyState icon="team" title="No open invitation">
                  An invitation is a link that works once, for a week.
                </EmptyState>
              ) : (
                <InvitationTable invitations={invitations} />
              )
            }
          </Loaded>
        </Panel>
      )}
      {opened?.kind === "invite" ? <InviteDialog onClose={close} /> : null}
      {opened?.kind === "role" ? <ChangeRoleDialog member={opened.member} onClose={close} /> : null}
      {opened?.kind === "reset" ? <ResetPasswordDialog member={opened.member} onClose={close} /> : null}
      {opened?.kind === "codes" ? <ResetCodesDialog member={opened.member} onClose={close} /> : null}
      {opened?.kind === "remove" ? <RemoveMemberDialog member={opened.member} onClose={close} /> : null}
    </Stack>
  );
}
