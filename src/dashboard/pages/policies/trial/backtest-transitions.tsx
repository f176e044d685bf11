import type { Action } from "../../../../domain/vocabulary/vocabulary.js";
import type { BacktestResult } from "../../../api/wire-types.js";
import { formatCount, formatName } from "../../../design/base/format.js";
import { ACTION_TOKENS } from "../../../design/base/tones.js";

/** Lists every pair of instructions before and after that occurs. Holds and unchanged decisions are included. */
export function Transitions({ result }: { result: BacktestResult }) {
  const { transitions } = result;
  if (transitions.length === 0) return null;
  return (
    <div>
      <h3>From which instruction to which</h3>
      <table className="small-table">
        <thead>
          <tr>
            <th scope="col">Before</th>
            <th scope="col">After</th>
            <th scope="col" className="numeric">
              Decisions
            </th>
          </tr>
        </thead>
        <tbody>
          {transitions.map(({ before, after, count }) => (
            <tr key={`${before} ${after}`}>
              <th scope="row">
                <Instruction action={before} />
              </th>
              <td>
                <Instruction action={after} />
              </td>
              <td className="numeric">{formatCount(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Instruction({ action }: { action: Action }) {
  return (
    <>
      <span className="swatch" style={{ background: `var(${ACTION_TOKENS[action]})` }} />
      {formatName(action)}
    </>
  );
}
