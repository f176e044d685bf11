import { lazy, Suspense, useEffect, useRef } from "react";
import { Icon } from "../../design/base/icon.js";
import { Skeleton } from "../../design/base/skeleton.js";
import { Button } from "../../design/forms/button.js";
import { PlaceLink, useMode } from "../../shell/mode.js";

const Decision = lazy(async () => {
  const { Decision: component } = await import("../decision/decision-page.js");
  return { default: component };
});

interface OpenPanelProps {
  decisionId: string;
  onClose(): void;
}

/** DASH-26: shows a decision beside the list, or in its place if there is no room for both. */
export function OpenPanel({ decisionId, onClose }: OpenPanelProps) {
  const { mode } = useMode();
  const panel = useRef<HTMLElement>(null);
  // If the list is hidden, its row cannot keep the focus, so the panel takes it.
  useEffect(() => {
    if (document.querySelector<HTMLElement>(".log-list")?.offsetParent === null) panel.current?.focus();
  }, []);
  return (
    <aside className="log-open" aria-label="Open decision" ref={panel} tabIndex={-1}>
      <p className="log-open-head">
        <Button kind="quiet" onClick={onClose}>
          <Icon name="close" /> Back to the list
        </Button>
        <PlaceLink to={`/decisions/${decisionId}`}>Its own page</PlaceLink>
      </p>
      <section className="log-open-body" aria-label="The decision in detail" tabIndex={0}>
        <Suspense fallback={<Skeleton heightPx={388} />}>
          <Decision key={`${mode} ${decisionId}`} decisionId={decisionId} />
        </Suspense>
      </section>
    </aside>
  );
}
