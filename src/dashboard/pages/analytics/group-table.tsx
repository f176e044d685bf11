import type { ReactNode } from "react";
import { FACET_COLUMNS, NO_VALUE, type FacetColumn } from "../../../domain/vocabulary/facets.js";
import type { AnalyticsGroup, AnalyticsSummary } from "../../api/wire-types.js";
import type { Read } from "../../api/transport/read.js";
import { Foreign } from "../../design/base/foreign.js";
import { formatCount, formatPoints, formatRate } from "../../design/base/format.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Select } from "../../design/forms/select.js";
import { Pagination } from "../../design/layout/pagination.js";
import { Panel } from "../../design/layout/panel.js";
import { Table, type Column } from "../../design/layout/table.js";
import { useAddress, usePages, withoutPlaces } from "../../shell/address.js";
import { titleOf, valueText, type Facets } from "../../shell/facets.js";
import { PlaceLink } from "../../shell/mode.js";
import { RowLink } from "../../shell/row-link.js";
import { RateTrend, type Trend } from "./rate-trend.js";

const PAGE_ROWS = 10;
const HEIGHT_PX = 450;
const FIRST_OPTIONS = FACET_COLUMNS.map((value) => ({ value, label: titleOf(value) }));

interface GroupTableProps {
  query: Read<AnalyticsSummary>;
  groupBy: readonly FacetColumn[];
  /** The log's filters and range that list the same decisions. */
  log: Facets & { range?: string };
  onGroupBy(columns: readonly FacetColumn[]): void;
}

/** DASH-11: compares groups of decisions with the period before. A click on a row filters the page by that group. */
export function GroupTable({ query, groupBy, log, onGroupBy }: GroupTableProps) {
  const [first = "currency", second] = groupBy;
  const others = FIRST_OPTIONS.filter(({ value }) => value !== first);
  return (
    <Panel
      title="Breakdown"
      note={query.data === undefined ? undefined : noteOf(query.data)}
      actions={
        <div className="stack-bar-controls">
          <Select
            label="Break down by"
            value={first}
            options={FIRST_OPTIONS}
            onChange={(column) =>
              onGroupBy([column, ...(second === undefined || second === column ? [] : [second])])
            }
          />
          <Select
            label="and by"
            value={second ?? "nothing"}
            options={[{ value: "nothing" as const, label: "Nothing else" }, ...others]}
            onChange={(column) => onGroupBy(column === "nothing" ? [first] : [first, column])}
          />
        </div>
      }
      isFlush
    >
      <Loaded query={query} heightPx={HEIGHT_PX}>
        {({ groups = [], group_steps: steps = [], series_interval: interval }) => (
          <div style={{ minHeight: HEIGHT_PX }}>
            {groups.length === 0 ? (
              <EmptyState icon="analytics" title="Nothing was decided">
                No decision of this period fits all the filters.
              </EmptyState>
            ) : (
              <Groups groups={groups} trend={{ steps, interval }} log={log} />
            )}
          </div>
        )}
      </Loaded>
    </Panel>
  );
}

function noteOf({ comparison, groups_total = 0, groups = [] }: AnalyticsSummary): string {
  const shown =
    groups_total > groups.length ? `the first ${groups.length} of ${formatCount(groups_total)}, ` : "";
  if (comparison === undefined || comparison.before === null)
    return `${shown}all of history has no period before`;
  const { difference } = comparison;
  return difference === null
    ? `${shown}most lost approvals first`
    : `${shown}most lost approvals first; in all ${pointsText(difference)}`;
}

interface GroupsProps {
  trend: Trend;
  groups: readonly AnalyticsGroup[];
  log: GroupTableProps["log"];
}

function Groups({ groups, trend, log }: GroupsProps) {
  // The columns come from the answer, because the previous groups stay visible while the next answer loads.
  const columns = Object.keys(groups[0]?.key ?? {}) as FacetColumn[];
  const address = useAddress();
  const { first, shown, isOnlyOne, turns } = usePages("groups_page", groups, PAGE_ROWS);
  const narrowed = (group: AnalyticsGroup): string => {
    const parameters = new URLSearchParams(address.parameters);
    for (const name of ["mode", "group_by", ...Object.keys(withoutPlaces(address))]) parameters.delete(name);
    for (const [name, value] of Object.entries(filtersOf(group))) parameters.set(name, value);
    return `/analytics?${parameters.toString()}`;
  };
  const logOf = (group: AnalyticsGroup): string =>
    `/decisions?${new URLSearchParams({ ...log, ...filtersOf(group) }).toString()}`;
  return (
    <>
      <Table
        caption="Breakdown"
        columns={columnsFor(columns, trend, narrowed, logOf)}
        rows={shown}
        keyOf={({ key }) => JSON.stringify(key)}
      />
      {isOnlyOne ? null : (
        <Pagination
          of="groups"
          text={`${first + 1}–${first + shown.length} of ${groups.length}`}
          {...turns}
        />
      )}
    </>
  );
}

type AddressOf = (group: AnalyticsGroup) => string;

function columnsFor(
  groupBy: readonly FacetColumn[],
  trend: Trend,
  narrowed: AddressOf,
  logOf: AddressOf,
): Column<AnalyticsGroup>[] {
  const values = groupBy.map((column, at): Column<AnalyticsGroup> => ({
    key: column,
    title: titleOf(column),
    cell: (group) => {
      const text = <Foreign text={valueText(column, group.key[column] ?? null)} />;
      return at === 0 ? <RowLink to={narrowed(group)}>{text}</RowLink> : text;
    },
  }));
  return [
    ...values,
    {
      key: "decisions",
      title: "Decisions",
      isNumeric: true,
      cell: ({ decisions }) => formatCount(decisions),
    },
    {
      key: "rate",
      title: "Approved",
      isNumeric: true,
      cell: ({ approval_rate }) => formatRate(approval_rate),
    },
    {
      key: "trend",
      title: `By ${trend.interval}`,
      cell: ({ series }) => (series === undefined ? "–" : <RateTrend series={series} trend={trend} />),
    },
    {
      key: "before",
      title: "Before",
      isNumeric: true,
      cell: ({ before }) => formatRate(before?.approval_rate ?? null),
    },
    {
      key: "difference",
      title: "Difference (95 %)",
      isNumeric: true,
      cell: ({ difference }): ReactNode => (difference === null ? "–" : pointsText(difference)),
    },
    {
      key: "lost",
      title: "Lost approvals",
      isNumeric: true,
      cell: ({ lost_approvals: lost }) => (lost === null ? "–" : formatCount(Math.round(lost))),
    },
    {
      key: "log",
      title: "Log",
      cell: (group) => <PlaceLink to={logOf(group)}>Decisions</PlaceLink>,
    },
  ];
}

/** LOG-29: returns the filters that match exactly this group. */
function filtersOf({ key }: AnalyticsGroup): Record<string, string> {
  return Object.fromEntries(Object.entries(key).map(([name, value]) => [name, value ?? NO_VALUE]));
}

function pointsText({ points, low, high }: NonNullable<AnalyticsGroup["difference"]>): string {
  return `${formatPoints(points)} points (${formatPoints(low)} to ${formatPoints(high)})`;
}
