import { useState } from "react";
import { useEndSession, useSessions } from "../../api/account/sessions.js";
import { problemText } from "../../api/transport/problem.js";
import { Button } from "../../design/forms/button.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { useToasts } from "../../design/feedback/toast.js";
import { EmailPanel } from "./email-panel.js";
import { Panel } from "../../design/layout/panel.js";
import { Stack, StackBar } from "../../design/layout/stack.js";
import { Foreign } from "../../design/base/foreign.js";
import { useAccount } from "../../session/session.js";
import { CodesPanel } from "./codes-panel.js";
import { EndOthersDialog } from "./end-others-dialog.js";
import { PasswordForm } from "./password-form.js";
import { SessionTable } from "./session-table.js";

const SESSIONS_HEIGHT_PX = 160;

/** DASH-15: shows the person's own password and sessions. */
export default function AccountPage() {
  const { user } = useAccount();
  const sessions = useSessions();
  const end = useEndSession();
  const toasts = useToasts();
  const [isEndingOthers, setEndingOthers] = useState(false);
  const rows = sessions.data?.sessions;
  return (
    <Stack>
      <StackBar
        text={
          <>
            You are signed in as <Foreign text={user.email} />.
          </>
        }
      />
      <Panel
        title="Sessions"
        note={rows && `${rows.length}`}
        actions={
          <Button
            size="small"
            disabled={rows === undefined || rows.every(({ current }) => current)}
            onClick={() => setEndingOthers(true)}
          >
            End all others
          </Button>
        }
        isFlush
      >
        <Loaded query={sessions} heightPx={SESSIONS_HEIGHT_PX}>
          {(list) => (
            <SessionTable
              sessions={list.sessions}
              isBusy={end.isPending}
              onEnd={({ session_id }) =>
                end.mutate(session_id, {
                  onSuccess: () => toasts.done("The session has ended"),
                  onError: (error) => toasts.failed(problemText(error)),
                })
              }
            />
          )}
        </Loaded>
      </Panel>
      <EmailPanel />
      <Panel title="Password">
        <PasswordForm />
      </Panel>
      <CodesPanel />
      {isEndingOthers ? <EndOthersDialog onClose={() => setEndingOthers(false)} /> : null}
    </Stack>
  );
}
