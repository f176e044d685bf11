import type { RetryRule } from "../../../client/wire-types.js";
import type { RetryCategory } from "../../../domain/vocabulary/vocabulary.js";
import { useRetryRules } from "../../api/retry-rules.js";
import { Badge, type Tone } from "../../design/base/badge.js";
import { formatName } from "../../design/base/format.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Pagination } from "../../design/layout/pagination.js";
import { Panel } from "../../design/layout/panel.js";
import { Table, type Column } from "../../design/layout/table.js";
import { usePages } from "../../shell/address.js";

const PAGE_ROWS = 10;
const HEIGHT_PX = 420;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

const CATEGORY_TONES = {
  never: "critical",
  after_change: "info",
  later: "watch",
  any_time: "good",
} as const satisfies Record<RetryCategory, Tone>;

/** RTRY-1: shows the card schemes' rules on retries beside the policy that must follow them. */
export function RetryRulesPanel() {
  const rules = useRetryRules();
  return (
    <Panel title="The schemes’ retry rules" note="public; the same for every merchant" isFlush>
      <Loaded query={rules} heightPx={HEIGHT_PX}>
        {({ rules: all }) => <RetryRules rules={all} />}
      </Loaded>
    </Panel>
  );
}

function RetryRules({ rules }: { rules: readonly RetryRule[] }) {
  const { first, shown, isOnlyOne, turns } = usePages("retry_rules_page", rules, PAGE_ROWS);
  return (
    <>
      <Table caption="Retry rules" columns={COLUMNS} rows={shown} keyOf={({ rule_id }) => rule_id} />
      {isOnlyOne ? null : (
        <Pagination
          of="retry rules"
          text={`${first + 1}–${first + shown.length} of ${rules.length}`}
          {...turns}
        />
      )}
    </>
  );
}

const COLUMNS: readonly Column<RetryRule>[] = [
  { key: "scheme", title: "Scheme", cell: ({ scheme }) => formatName(scheme) },
  {
    key: "code",
    title: "Code",
    cell: ({ code }) => (code === null ? <span className="muted">any other</span> : <code>{code}</code>),
  },
  { key: "meaning", title: "Meaning", cell: ({ meaning }) => meaning },
  {
    key: "category",
    title: "Another attempt",
    cell: ({ category }) => <Badge tone={CATEGORY_TONES[category]}>{formatName(category)}</Badge>,
  },
  { key: "wait", title: "Wait", isNumeric: true, cell: ({ wait_seconds }) => spanText(wait_seconds) },
  {
    key: "most",
    title: "At most",
    cell: ({ max_attempts }) =>
      max_attempts
        .map(({ attempts, window_seconds }) => `${attempts} in ${spanText(window_seconds)}`)
        .join(", "),
  },
  { key: "source", title: "Source", cell: ({ source }) => source },
  { key: "since", title: "Since", cell: ({ effective_date }) => effective_date },
];

/** Formats as `1 h` or `30 d`. A time of 0 gives an empty text. */
function spanText(seconds: number): string {
  if (seconds === 0) return "";
  return seconds > DAY_SECONDS ? `${seconds / DAY_SECONDS} d` : `${seconds / HOUR_SECONDS} h`;
}
