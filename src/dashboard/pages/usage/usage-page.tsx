import { useState } from "react";
import { useUsage } from "../../api/usage.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Figure, Figures } from "../../design/charts/figures.js";
import { formatCount } from "../../design/base/format.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Panel } from "../../design/layout/panel.js";
import { Select } from "../../design/forms/select.js";
import { Stack, StackBar } from "../../design/layout/stack.js";
import { useChoice } from "../../shell/address.js";
import { ExportButton } from "../../shell/export-button.js";
import { useMode } from "../../shell/mode.js";
import { countUsage, monthsBefore } from "./usage-figures.js";
import { UsageTable } from "./usage-table.js";

const SPANS = [
  { value: "1", label: "This month" },
  { value: "3", label: "Last 3 months" },
  { value: "12", label: "Last 12 months" },
  { value: "24", label: "Last 24 months" },
] as const;
const SPAN_NAMES = SPANS.map(({ value }) => value);
const HEIGHT_PX = 180;

/** Shows the billed decisions, and the unbilled ones beside them. */
export default function UsagePage() {
  const { mode } = useMode();
  const [span, setSpan] = useChoice("months", SPAN_NAMES, "3", "page");
  const [nowMs] = useState(Date.now);
  const usage = useUsage(monthsBefore(nowMs, Number(span) - 1), monthsBefore(nowMs, 0));
  const counts = usage.data && countUsage(usage.data.usage);
  return (
    <Stack>
      <StackBar text="Live decisions that were enforced are billable. Shadow and test decisions are counted apart. Months are UTC.">
        <Select label="Months" value={span} options={SPANS} onChange={setSpan} />
        <ExportButton
          what="usage"
          partOf={(atMs) => ({
            kind: "usage",
            from: `${monthsBefore(atMs, Number(span) - 1)}-01T00:00:00.000Z`,
            // The export covers the whole current month, as the page does.
            to: `${monthsBefore(atMs, -1)}-01T00:00:00.000Z`,
          })}
        />
      </StackBar>
      {usage.data === undefined && usage.error !== null ? null : (
        <Figures>
          <Figure title="Live" value={counts && formatCount(counts.live)} note="Enforced, billable" />
          <Figure
            title="Live shadow"
            value={counts && formatCount(counts.liveShadow)}
            note="Advice, not billed"
          />
          <Figure title="Test" value={counts && formatCount(counts.test)} note="Enforced, not billed" />
          <Figure
            title="Test shadow"
            value={counts && formatCount(counts.testShadow)}
            note="Advice, not billed"
          />
        </Figures>
      )}
      <Panel title={mode === "live" ? "Live usage" : "Test usage"} note="by month and merchant" isFlush>
        <Loaded query={usage} heightPx={HEIGHT_PX}>
          {({ usage: all }) => {
            const rows = all.filter((row) => row.mode === mode).toReversed();
            return rows.length === 0 ? (
              <EmptyState icon="usage" title={`No ${mode} decision in these months`} />
            ) : (
              <UsageTable rows={rows} />
            );
          }}
        </Loaded>
      </Panel>
    </Stack>
  );
}
