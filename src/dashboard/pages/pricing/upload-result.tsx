import type { StoredContract } from "../../api/wire-types.js";
import { Button } from "../../design/forms/button.js";
import { Time } from "../../design/base/age.js";
import { formatCount } from "../../design/base/format.js";
import { Icon } from "../../design/base/icon.js";

/** Shows the stored contract and the service's warnings. */
export function UploadResult({ contract, onClose }: { contract: StoredContract; onClose(): void }) {
  const { rules_stored, effective_from, effective_to, warnings } = contract;
  return (
    <section className="upload-result tone-good" aria-label="Stored contract">
      <div className="upload-result-head">
        <p>
          <strong>{formatCount(rules_stored)}</strong> {rules_stored === 1 ? "price" : "prices"} stored, in
          effect from <Time at={effective_from} />
          {effective_to === null ? null : (
            <>
              {" "}
              to <Time at={effective_to} />
            </>
          )}
          .
        </p>
        <Button kind="quiet" size="icon" aria-label="Dismiss the result" onClick={onClose}>
          <Icon name="close" />
        </Button>
      </div>
      {warnings.length === 0 ? null : (
        <ul className="upload-warnings">
          {warnings.map(({ path, message }) => (
            <li key={path + message}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
