import { EmptyState } from "../../design/feedback/empty-state.js";
import { PlaceLink } from "../../shell/mode.js";

export function NotFoundPage() {
  return (
    <EmptyState icon="decisions" title="There is no such page">
      It may have moved, or it is not for your role. <PlaceLink to="/">Back to the overview</PlaceLink>
    </EmptyState>
  );
}
