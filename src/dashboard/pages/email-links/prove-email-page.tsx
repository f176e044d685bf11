import { useState } from "react";
import { Link, useLocation } from "wouter";
import { account } from "../../api/account/account.js";
import { useAction } from "../../api/transport/action.js";
import { Form } from "../../design/forms/form.js";
import { Entrance } from "../../shell/entrance.js";

/** Reads `/dashboard/prove-email#token=…`. A browser never sends a fragment, so the token reaches no log. */
function proofToken(): string {
  return new URLSearchParams(window.location.hash.slice(1)).get("token") ?? "";
}

/** DASH-35: proves an address. The person must press a button, because mail scanners open links. */
export function ProveEmailPage() {
  const [, navigate] = useLocation();
  const [token] = useState(proofToken);
  const prove = useAction({
    meta: { isAttempt: true },
    mutationFn: account.proveEmail,
    // The token works once, so it is removed from the address.
    onSuccess: () => navigate("/prove-email", { replace: true }),
  });
  return prove.isSuccess ? (
    <Entrance title="Your address is confirmed">
      <p role="status">Nothing more is to be done.</p>
      <Link to="/account">Go on</Link>
    </Entrance>
  ) : (
    <Entrance title="Confirm your e-mail address">
      <Form
        submitLabel="Confirm this address"
        isBusy={prove.isPending}
        error={prove.error}
        onSubmit={() => prove.mutate({ token })}
      >
        <p className="muted">The link that led here was sent to the address that it confirms.</p>
      </Form>
    </Entrance>
  );
}
