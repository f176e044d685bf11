import { Dialog } from "../../design/feedback/dialog.js";
import { Facts } from "../../design/layout/facts.js";
import { REVIEW_KEYS } from "./use-review-keys.js";

/** REV-15: lists the keys of the page. */
export function KeysDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keys of this page" onClose={onClose}>
      <Facts facts={REVIEW_KEYS.map(({ key, text }) => [text, <kbd key={key}>{key}</kbd>])} />
    </Dialog>
  );
}
