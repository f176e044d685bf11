import { useState } from "react";
import { useOneTimeCodes } from "../../api/account/one-time-codes.js";
import { Badge } from "../../design/base/badge.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Button } from "../../design/forms/button.js";
import { Panel } from "../../design/layout/panel.js";
import { useAccount } from "../../session/session.js";
import { DisableCodesDialog } from "./disable-codes-dialog.js";
import EnrolCodesDialog from "./enrol-codes-dialog.js";

const HEIGHT_PX = 40;

/** ACC-14: shows the person's own one-time codes. */
export function CodesPanel() {
  const codes = useOneTimeCodes();
  const [opened, setOpened] = useState<"enrol" | "disable" | null>(null);
  const close = (): void => setOpened(null);
  const isOn = codes.data?.enabled === true;
  const { workspace } = useAccount();
  const isHeld = isOn && workspace.require_one_time_codes;
  return (
    <Panel
      title="One-time codes"
      note={isOn ? <Badge tone="good">On</Badge> : null}
      actions={
        <Button
          size="small"
          disabled={codes.data === undefined || isHeld}
          onClick={() => setOpened(isOn ? "disable" : "enrol")}
        >
          {isOn ? "Turn off" : "Turn on"}
        </Button>
      }
    >
      <Loaded query={codes} heightPx={HEIGHT_PX}>
        {({ enabled, recovery_codes_left }) => (
          <p className="muted">
            {enabled
              ? `A sign-in needs a code of your authenticator app. Recovery codes left: ${recovery_codes_left}.${isHeld ? " This workspace requires them." : ""}`
              : "With them, a sign-in needs a code of your authenticator app besides the password."}
          </p>
        )}
      </Loaded>
      {opened === "enrol" ? <EnrolCodesDialog onClose={close} /> : null}
      {opened === "disable" ? <DisableCodesDialog onClose={close} /> : null}
    </Panel>
  );
}
