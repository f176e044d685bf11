import { useEmailState, useSendProof } from "../../api/account/email.js";
import { problemText } from "../../api/transport/problem.js";
import { Age } from "../../design/base/age.js";
import { Badge } from "../../design/base/badge.js";
import { Foreign } from "../../design/base/foreign.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { useToasts } from "../../design/feedback/toast.js";
import { Button } from "../../design/forms/button.js";
import { Panel } from "../../design/layout/panel.js";

const HEIGHT_PX = 40;

/** DASH-35: shows the person's email address, and whether the person has proved it with a link. */
export function EmailPanel() {
  const state = useEmailState();
  const send = useSendProof();
  const toasts = useToasts();
  const isProved = typeof state.data?.verified_at === "string";
  const mayProve = state.data?.mail === true && !isProved;
  return (
    <Panel
      title="E-mail address"
      note={isProved ? <Badge tone="good">Confirmed</Badge> : null}
      actions={
        <Button
          size="small"
          disabled={!mayProve || send.isPending}
          onClick={() =>
            send.mutate(undefined, {
              onSuccess: () => toasts.done("A letter is on its way"),
              onError: (error) => toasts.failed(problemText(error)),
            })
          }
        >
          Send the link
        </Button>
      }
    >
      <Loaded query={state} heightPx={HEIGHT_PX}>
        {({ email, verified_at, mail }) => (
          <p className="muted">
            <Foreign text={email} />{" "}
            {verified_at !== null ? (
              <>
                was confirmed <Age at={verified_at} />.
              </>
            ) : mail ? (
              "is not confirmed yet. A letter has a link for it."
            ) : (
              "is not confirmed. This deployment sends no mail."
            )}
          </p>
        )}
      </Loaded>
    </Panel>
  );
}
