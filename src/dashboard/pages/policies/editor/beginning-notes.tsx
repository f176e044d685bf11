import type { LivePolicy } from "../../../api/policies.js";
import { Time } from "../../../design/base/age.js";
import { Foreign, WithForeign } from "../../../design/base/foreign.js";
import { TemplateNote } from "../templates/template-note.js";
import { useComparison } from "../versions/comparison.js";
import { Person } from "../versions/people.js";
import type { Template } from "../versions/opening.js";
import type { Merge } from "../versions/policy-merge.js";

interface BeginningNotesProps {
  merge: Merge | null;
  /** The live policy when editing began. */
  baseLive: LivePolicy;
  live: LivePolicy;
  template: Template | undefined;
}

/** Shows what the draft began with: a template or merged changes. Also shows if another version has gone live since. */
export function BeginningNotes({ merge, baseLive, live, template }: BeginningNotesProps) {
  return (
    <>
      {template === undefined ? null : <TemplateNote {...template} />}
      {merge === null ? null : <MergeNote merge={merge} baseLive={baseLive} />}
      {baseLive.etag === live.etag ? null : <OvertakenNote baseLive={baseLive} live={live} />}
    </>
  );
}

function MergeNote({ merge, baseLive }: { merge: Merge; baseLive: LivePolicy }) {
  return (
    <div className="note tone-info" role="status">
      <p>The changes are on {baseLive.policy?.version ?? "an empty draft"} now. Look at them and publish.</p>
      {merge.clashes.length === 0 ? null : (
        <ul>
          {merge.clashes.map((clash) => (
            <li key={clash}>
              <WithForeign text={clash} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** DASH-12: names the version that has gone live during the editing, and who published it. */
function OvertakenNote({ baseLive, live }: { baseLive: LivePolicy; live: LivePolicy }) {
  const { compare } = useComparison();
  const [base, now] = [baseLive.policy, live.policy];
  return (
    <div className="note tone-watch" role="status">
      {now === null ? (
        <p>No version is live any more.</p>
      ) : (
        <>
          <p>
            {now.version} “<Foreign text={now.name} />” was published by <Person actor={now.published_by} />{" "}
            at <Time at={now.published_at ?? now.updated_at} />. You edit a draft based on{" "}
            {base?.version ?? "no live version"}.
          </p>
          {now.comment === null ? null : (
            <p>
              “<Foreign text={now.comment} />”
            </p>
          )}
        </>
      )}
      {base === null || now === null ? null : (
        <button type="button" className="link-button" onClick={() => compare(base, now)}>
          Compare {base.version} with {now.version}
        </button>
      )}
    </div>
  );
}
