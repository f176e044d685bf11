import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { problemText } from "../../api/transport/problem.js";
import { useToasts } from "../../design/feedback/toast.js";
import { Button } from "../../design/forms/button.js";
import "../../design/forms/form.css";
import { useSession } from "../../session/session.js";
import { Entrance } from "../../shell/entrance.js";

const EnrolCodesDialog = lazy(() => import("./enrol-codes-dialog.js"));

/** DASH-33: the only page of a person who has no one-time codes, if the workspace requires them. */
export function EnrolmentPage() {
  const queries = useQueryClient();
  const { signOut } = useSession();
  const toasts = useToasts();
  const [isOpen, setOpen] = useState(false);
  const close = (): void => {
    setOpen(false);
    // Once codes are on, the page in the address is shown.
    void queries.invalidateQueries({ queryKey: ["me"] });
  };
  return (
    <Entrance title="One-time codes">
      <p>
        Your workspace requires one-time codes. Nothing else opens until your authenticator app has shown the
        first one.
      </p>
      <div className="form-foot">
        <Button
          kind="quiet"
          onClick={() => void signOut().catch((error: unknown) => toasts.failed(problemText(error)))}
        >
          Sign out
        </Button>
        <Button kind="primary" onClick={() => setOpen(true)}>
          Turn on
        </Button>
      </div>
      {isOpen ? (
        <Suspense fallback={null}>
          <EnrolCodesDialog onClose={close} />
        </Suspense>
      ) : null}
    </Entrance>
  );
}
