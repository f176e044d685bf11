import type { Policy } from "../../../../client/wire-types.js";
import type { PolicyStatus } from "../../../../domain/vocabulary/vocabulary.js";
import { Age } from "../../../design/base/age.js";
import { Badge, type Tone } from "../../../design/base/badge.js";
import { Button } from "../../../design/forms/button.js";
import { EmptyState } from "../../../design/feedback/empty-state.js";
import { formatName } from "../../../design/base/format.js";
import { Pagination } from "../../../design/layout/pagination.js";
import { Panel } from "../../../design/layout/panel.js";
import { Table, type Column } from "../../../design/layout/table.js";
import { useComparison } from "./comparison.js";
import { Person } from "./people.js";
import { useTemplatesDialog } from "../templates/use-templates-dialog.js";
import { usePages } from "../../../shell/address.js";
import { Foreign } from "../../../design/base/foreign.js";

const STATUS_TONES = {
  draft: "info",
  published: "good",
  archived: "neutral",
} as const satisfies Record<PolicyStatus, Tone>;
const PAGE_ROWS = 5;

interface VersionsPanelProps {
  policies: readonly Policy[];
  openId: string | null;
  mayWrite: boolean;
  onOpen(policy: Policy): void;
  onPublish(policy: Policy): void;
  onNew(): void;
}

/** Lists the versions of a merchant's policy, newest first. */
export function VersionsPanel(props: VersionsPanelProps) {
  const { policies, onNew } = props;
  const { first, shown, isOnlyOne, turns } = usePages("versions_page", policies, PAGE_ROWS);
  return (
    <Panel
      title="Versions"
      note={policies.length === 0 ? undefined : `${policies.length} in all`}
      actions={
        <div className="row">
          {policies.length < 2 ? null : <CompareButton policies={policies} />}
          <TemplatesButton />
          <Button size="small" onClick={onNew}>
            Begin an empty draft
          </Button>
        </div>
      }
      isFlush
    >
      {policies.length === 0 ? (
        <EmptyState icon="policies" title="No version yet">
          Payments go to the provider with the best score until a policy is published.
        </EmptyState>
      ) : (
        <Table
          caption="Versions"
          columns={columnsOf(props)}
          rows={shown}
          keyOf={({ policy_id }) => policy_id}
        />
      )}
      {isOnlyOne ? null : (
        <Pagination
          of="versions"
          text={`${first + 1}–${first + shown.length} of ${policies.length}`}
          {...turns}
        />
      )}
    </Panel>
  );
}

/** DASH-42: opens the dialog of templates. */
function TemplatesButton() {
  const { open } = useTemplatesDialog();
  return (
    <Button size="small" onClick={open}>
      Begin with a template
    </Button>
  );
}

/** Compares the previously live version with the live one, or otherwise the two newest versions. */
function CompareButton({ policies }: { policies: readonly Policy[] }) {
  const { compare } = useComparison();
  const to = policies.find(({ status }) => status === "published") ?? policies[0];
  const others = policies.filter((policy) => policy !== to);
  const from = others.find(({ status }) => status === "archived") ?? others[0];
  if (from === undefined || to === undefined) return null;
  return (
    <Button size="small" onClick={() => compare(from, to)}>
      Compare versions
    </Button>
  );
}

/** Shows when something happened to a version, and who did it. */
function Event({ at, by }: { at: string | null; by: string | null }) {
  if (at === null) return null;
  return (
    <span className="version-event">
      <Person actor={by} /> <Age at={at} />
    </span>
  );
}

function columnsOf(props: VersionsPanelProps): readonly Column<Policy>[] {
  const { openId, mayWrite, onOpen, onPublish } = props;
  return [
    { key: "version", title: "Version", cell: ({ version }) => <strong>{version}</strong> },
    {
      key: "status",
      title: "Status",
      cell: ({ status }) => (
        <Badge tone={STATUS_TONES[status]}>{status === "published" ? "Live" : formatName(status)}</Badge>
      ),
    },
    {
      key: "name",
      title: "Name",
      cell: ({ name, comment }) => (
        <>
          <span className="version-name">
            <Foreign text={name} />
          </span>
          {comment === null ? null : (
            <span className="version-comment muted">
              <Foreign text={comment} />
            </span>
          )}
        </>
      ),
    },
    { key: "rules", title: "Rules", isNumeric: true, cell: ({ rules }) => rules.length },
    {
      key: "default",
      title: "Default provider",
      cell: ({ default_provider }) =>
        default_provider === null ? <span className="muted">none</span> : <Foreign text={default_provider} />,
    },
    { key: "author", title: "Written by", cell: ({ author }) => <Person actor={author} /> },
    {
      key: "published",
      title: "Published",
      cell: ({ published_at, published_by }) => <Event at={published_at} by={published_by} />,
    },
    {
      key: "archived",
      title: "Archived",
      cell: ({ archived_at, archived_by }) => <Event at={archived_at} by={archived_by} />,
    },
    {
      key: "act",
      title: "Actions",
      isNumeric: true,
      cell: (policy) => {
        const { policy_id, version, status } = policy;
        return (
          <span className="version-acts">
            {status === "published" || !mayWrite ? null : (
              <Button
                kind="quiet"
                size="small"
                aria-label={status === "draft" ? `Publish ${version}` : `Roll back to ${version}`}
                onClick={() => onPublish(policy)}
              >
                {status === "draft" ? "Publish" : "Roll back"}
              </Button>
            )}
            <Button
              size="small"
              aria-label={`${policy_id === openId ? "Open" : "Edit"}: ${version}`}
              disabled={policy_id === openId}
              onClick={() => onOpen(policy)}
            >
              {policy_id === openId ? "Open" : "Edit"}
            </Button>
          </span>
        );
      },
    },
  ];
}
