import { useEffect, useState, type ReactNode } from "react";
import { Link } from "wouter";
import { Icon } from "../../../design/base/icon.js";
import { Skeleton } from "../../../design/base/skeleton.js";
import { Button } from "../../../design/forms/button.js";
import { Panel } from "../../../design/layout/panel.js";
import { Stack } from "../../../design/layout/stack.js";
import { useHasRole } from "../../../session/session.js";
import type { Step } from "./steps.js";
import { useClosed } from "./use-closed.js";
import { useSteps } from "./use-steps.js";
import "./first-steps.css";

const PAGE_HEIGHT_PX = 480;

/** While it is unknown whether the steps are shown, the page waits, so that nothing moves later. */
type Place = "waiting" | "shown" | "hidden";

/** DASH-20: shows the first steps above the page, until the workspace has done them all. */
export function FirstSteps({ children }: { children: ReactNode }) {
  const [isClosed, close] = useClosed();
  const mayDoThem = useHasRole(["owner", "admin", "developer"]);
  const [place, setPlace] = useState<Place>(isClosed || !mayDoThem ? "hidden" : "waiting");
  return (
    <Stack>
      {place === "hidden" ? null : <StepsPlace place={place} onPlace={setPlace} onClose={close} />}
      {place === "waiting" ? null : children}
    </Stack>
  );
}

interface StepsPlaceProps {
  place: Place;
  onPlace(place: Place): void;
  /** Hides the steps for good. */
  onClose(): void;
}

function StepsPlace({ place, onPlace, onClose }: StepsPlaceProps) {
  const steps = useSteps();
  const isDone = steps?.every((step) => step.isDone) ?? false;
  const isKnown = steps !== undefined;
  const isToShow = isKnown && steps !== null && !isDone;
  useEffect(() => {
    if (isDone) onClose();
    if (place === "waiting" && isKnown) onPlace(isToShow ? "shown" : "hidden");
  }, [place, isDone, isKnown, isToShow, onPlace, onClose]);
  if (place === "waiting") return <Skeleton heightPx={PAGE_HEIGHT_PX} />;
  // After the last step the panel stays until the next visit, so that nothing moves.
  if (steps === undefined || steps === null) return null;
  const dismiss = (): void => {
    onClose();
    onPlace("hidden");
  };
  return <StepsPanel steps={steps} onClose={dismiss} />;
}

function StepsPanel({ steps, onClose }: { steps: readonly Step[]; onClose(): void }) {
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <Panel
      title="First steps"
      note={next === undefined ? "all done" : `${done} of ${steps.length} done`}
      actions={
        <Button size="small" onClick={onClose}>
          Dismiss
        </Button>
      }
    >
      <ol className="first-steps">
        {steps.map((step) => (
          <li key={step.key} className="first-step" aria-current={step === next ? "step" : undefined}>
            <span className={step.isDone ? "first-step-mark is-done" : "first-step-mark"}>
              {step.isDone ? <Icon name="check" /> : null}
            </span>
            <span>
              <Link to={step.to}>{step.title}</Link>
              <span className="visually-hidden">{step.isDone ? " (done)" : ""}</span>
              <span className="first-step-text">{step.text}</span>
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
