import type { Policy } from "../../../../client/wire-types.js";
import { Age } from "../../../design/base/age.js";
import { Foreign } from "../../../design/base/foreign.js";
import { isolated } from "../../../design/base/isolated.js";
import { Dialog } from "../../../design/feedback/dialog.js";
import { SelectField } from "../../../design/forms/select-field.js";
import { draftOf } from "../draft/draft.js";
import { useComparison } from "./comparison.js";
import { Person } from "./people.js";
import { policyDiff } from "./policy-diff.js";
import { PolicyDiffView } from "./policy-diff-view.js";

/** DASH-14: compares any two versions. If there is room, they are side by side. */
export function CompareDialog({ policies }: { policies: readonly Policy[] }) {
  const { compared, compare, close } = useComparison();
  if (compared === null) return null;
  const find = (id: string): Policy | undefined => policies.find(({ policy_id }) => policy_id === id);
  // An address may name a version that is no longer kept.
  const to = find(compared[1]) ?? policies[0];
  const from = find(compared[0]) ?? policies.find((policy) => policy !== to) ?? to;
  if (from === undefined || to === undefined) return null;
  const options = policies.map(({ policy_id, version, name, status }) => ({
    value: policy_id,
    label: `${version} ${isolated(name)}${status === "published" ? ", live" : ""}`,
  }));
  const diff = policyDiff(draftOf(from), draftOf(to));
  return (
    <Dialog title="Compare versions" isWide onClose={close}>
      <div className="comparison">
        <div className="comparison-sides">
          <Side
            label="From"
            version={from}
            options={options}
            onChange={(id) => compare(find(id) ?? from, to)}
          />
          <Side label="To" version={to} options={options} onChange={(id) => compare(from, find(id) ?? to)} />
        </div>
        <section aria-label={`Differences from ${from.version} to ${to.version}`} className="comparison-diff">
          <PolicyDiffView diff={diff} none="Both decide the same: rules and default provider are equal." />
        </section>
      </div>
    </Dialog>
  );
}

interface SideProps {
  label: string;
  version: Policy;
  options: readonly { value: string; label: string }[];
  onChange(id: string): void;
}

/** Shows one version with its comment and its history. */
function Side({ label, version, options, onChange }: SideProps) {
  const { author, comment, published_at, published_by, archived_at, archived_by } = version;
  return (
    <div className="comparison-side">
      <SelectField label={label} value={version.policy_id} options={options} onChange={onChange} />
      <ul className="comparison-facts">
        <li>
          Written by <Person actor={author} />
        </li>
        {published_at === null ? null : (
          <li>
            Published by <Person actor={published_by} /> <Age at={published_at} />
          </li>
        )}
        {archived_at === null ? null : (
          <li>
            Archived by <Person actor={archived_by} /> <Age at={archived_at} />
          </li>
        )}
        {comment === null ? null : (
          <li>
            “<Foreign text={comment} />”
          </li>
        )}
      </ul>
    </div>
  );
}
