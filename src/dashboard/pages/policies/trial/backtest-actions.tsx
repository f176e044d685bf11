import { ACTIONS, type Action } from "../../../../domain/vocabulary/vocabulary.js";
import type { ActionCount, BacktestResult } from "../../../api/wire-types.js";
import { formatCount, formatName } from "../../../design/base/format.js";
import { ACTION_TOKENS } from "../../../design/base/tones.js";

/** Shows instructions before and after: two bars on one scale, and the counts. */
export function ActionsPicture({ result }: { result: BacktestResult }) {
  const before = countsOf(result.by_action_before);
  const after = countsOf(result.by_action_after);
  const shown = ACTIONS.filter((action) => before.has(action) || after.has(action));
  return (
    <div>
      <h3>Instructions</h3>
      <div className="before-after" aria-hidden="true">
        <Bar title="Before" counts={before} />
        <Bar title="After" counts={after} />
      </div>
      <table className="small-table">
        <thead>
          <tr>
            <th scope="col">Instruction</th>
            <th scope="col" className="numeric">
              Before
            </th>
            <th scope="col" className="numeric">
              After
            </th>
            <th scope="col" className="numeric">
              Change
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((action) => {
            const was = before.get(action) ?? 0;
            const is = after.get(action) ?? 0;
            return (
              <tr key={action}>
                <th scope="row">
                  <span className="swatch" style={{ background: `var(${ACTION_TOKENS[action]})` }} />
                  {formatName(action)}
                </th>
                <td className="numeric">{formatCount(was)}</td>
                <td className="numeric">{formatCount(is)}</td>
                <td className="numeric">{signed(is - was)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Bar({ title, counts }: { title: string; counts: ReadonlyMap<Action, number> }) {
  return (
    <>
      <span className="muted">{title}</span>
      <span className="before-after-bar">
        {ACTIONS.map((action) => {
          const count = counts.get(action) ?? 0;
          if (count === 0) return null;
          return (
            <span
              key={action}
              className="before-after-part"
              style={{ flexGrow: count, background: `var(${ACTION_TOKENS[action]})` }}
            />
          );
        })}
      </span>
    </>
  );
}

function countsOf(counts: readonly ActionCount[]): ReadonlyMap<Action, number> {
  return new Map(counts.map(({ action, count }) => [action, count]));
}

function signed(change: number): string {
  if (change === 0) return "0";
  return `${change > 0 ? "+" : "−"}${formatCount(Math.abs(change))}`;
}
