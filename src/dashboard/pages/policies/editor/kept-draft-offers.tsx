import type { Policy } from "../../../../client/wire-types.js";
import { Button } from "../../../design/forms/button.js";
import { formatDay, formatMinute, isSameDay } from "../../../design/base/format.js";
import type { KeptDraft } from "../draft/kept-drafts.js";

interface KeptDraftOffersProps {
  offers: readonly KeptDraft[];
  policies: readonly Policy[];
  onContinue(draft: KeptDraft): void;
  onDiscard(draft: KeptDraft): void;
}

/** DASH-13: offers to continue the unsaved drafts of earlier sessions. */
export function KeptDraftOffers({ offers, policies, onContinue, onDiscard }: KeptDraftOffersProps) {
  return offers.map((draft) => {
    const time = timeOf(draft.savedAtMs);
    const version = policies.find(({ policy_id }) => policy_id === draft.storedId)?.version;
    return (
      <div key={draft.id} className="note tone-info" role="status">
        <p>
          This browser keeps an unsaved draft of {time}
          {version === undefined ? "" : `, which began as ${version}`}.
        </p>
        <div className="row">
          <Button size="small" onClick={() => onContinue(draft)}>
            Continue the draft of {time}
          </Button>
          <Button
            kind="quiet"
            size="small"
            aria-label={`Discard the draft of ${time}`}
            onClick={() => onDiscard(draft)}
          >
            Discard
          </Button>
        </div>
      </div>
    );
  });
}

/** The minute, and the day unless it is today. */
function timeOf(savedAtMs: number): string {
  const at = new Date(savedAtMs);
  return isSameDay(savedAtMs, Date.now()) ? formatMinute(at) : `${formatDay(at)}, ${formatMinute(at)}`;
}
