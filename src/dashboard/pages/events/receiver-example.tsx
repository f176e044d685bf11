import { Panel } from "../../design/layout/panel.js";
import { RECEIVER } from "./receiver.js";
import "./events.css";

/** A complete receiver, for people who have none yet. */
export function ReceiverExample({ isOpen }: { isOpen: boolean }) {
  return (
    <Panel title="A receiver">
      <details className="receiver" open={isOpen}>
        <summary>
          Node, with the published library <code>standardwebhooks</code>
        </summary>
        <p className="muted">
          It refuses what is not signed with the endpoint&apos;s secret, and takes an event that comes twice
          once. Any answer of 2xx within 10 s takes the event; after any other it comes again, for 24 hours.
        </p>
        {/* The text scrolls sideways, so it must be reachable by keyboard. */}
        <section className="receiver-code" aria-label="Code of a receiver" tabIndex={0}>
          <pre className="mono">{RECEIVER}</pre>
        </section>
      </details>
    </Panel>
  );
}
