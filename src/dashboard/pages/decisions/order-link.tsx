import { createContext, use } from "react";
import { Foreign } from "../../design/base/foreign.js";
import { RowLink } from "../../shell/row-link.js";

/** The function that opens a decision beside the list. Null if there is no such list. */
export const OpenDecision = createContext<((decisionId: string) => void) | null>(null);

/** DASH-26: a plain click opens the decision beside the list. In a new tab, the link leads to the decision's page. */
export function OrderLink({ decisionId, orderId }: { decisionId: string; orderId: string }) {
  const open = use(OpenDecision);
  return (
    <span className="log-order" data-decision={decisionId}>
      <RowLink
        to={`/decisions/${decisionId}`}
        onClick={(event) => {
          if (open === null) return;
          event.preventDefault();
          open(decisionId);
        }}
      >
        <Foreign text={orderId} />
      </RowLink>
    </span>
  );
}
