import { Segments } from "../../design/layout/tabs.js";
import { StackBar } from "../../design/layout/stack.js";
import { useAccount, useHasRole } from "../../session/session.js";
import { REVIEWER_ROLES } from "../../api/reviews.js";
import { useChoice } from "../../shell/address.js";
import { useMode } from "../../shell/mode.js";
import { ReviewHistory } from "./review-history.js";
import { ReviewQueue } from "./review-queue.js";
import "./reviews.css";

const VIEWS = [
  { value: "queue", label: "Waiting" },
  { value: "history", label: "History" },
] as const;
const VIEW_NAMES = VIEWS.map(({ value }) => value);

/** Shows the held payments that wait for a person, and the results of earlier ones. */
export default function ReviewsPage() {
  const { mode } = useMode();
  const { role } = useAccount();
  const mayReview = useHasRole(REVIEWER_ROLES);
  const [view, setView] = useChoice("view", VIEW_NAMES, "queue", "page", "history_page");
  return (
    <div className="reviews">
      <StackBar text="A held payment should be reviewed within 15 minutes: its customer waits.">
        <Segments label="Payments shown" value={view} options={VIEWS} onChange={setView} />
      </StackBar>
      {mayReview ? null : (
        <p className="reviews-note">
          You may read this queue. Resolving reviews is for owners, admins and analysts; you are here as{" "}
          {role}.
        </p>
      )}
      {/* The key discards the selection when the mode changes. */}
      {view === "queue" ? <ReviewQueue key={mode} /> : <ReviewHistory />}
    </div>
  );
}
