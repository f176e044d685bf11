import { Button } from "../../../design/forms/button.js";
import { Dialog } from "../../../design/feedback/dialog.js";

/** Asks for confirmation before another version replaces unsaved changes. */
export function DiscardDialog({ onDiscard, onClose }: { onDiscard(): void; onClose(): void }) {
  return (
    <Dialog title="Discard the changes?" onClose={onClose}>
      <p>What was changed in the editor is not saved.</p>
      <div className="dialog-actions">
        <Button onClick={onClose}>Keep editing</Button>
        <Button kind="danger" onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </Dialog>
  );
}
