import type { UseMutationResult } from "@tanstack/react-query";
import { scopeText } from "../../explain/scope-text.js";
import { Foreign } from "../../design/base/foreign.js";
import { formatName } from "../../design/base/format.js";
import { ConfirmDialog } from "../../design/feedback/confirm-dialog.js";
import type { PinChange } from "../../api/drills/provider-pins.js";

interface LiveDrillDialogProps {
  drill: PinChange & { state: NonNullable<PinChange["state"]> };
  change: Pick<UseMutationResult, "isPending" | "error">;
  onConfirm(): void;
  onClose(): void;
}

/** DASH-18: a drill on live payments is confirmed by the provider's name. */
export function LiveDrillDialog({ drill, change, onConfirm, onClose }: LiveDrillDialogProps) {
  const { provider, state } = drill;
  return (
    <ConfirmDialog
      title="Start a drill on live payments?"
      confirmLabel="Start the live drill"
      phrase={provider}
      isBusy={change.isPending}
      error={change.error}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        Within a second, live decisions of this workspace see <Foreign text={provider} /> as{" "}
        {formatName(state).toLowerCase()}, {scopeText(drill)}. Payments are routed by it, or refused where no
        provider is left.
      </p>
    </ConfirmDialog>
  );
}
