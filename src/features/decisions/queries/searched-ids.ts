import { idFloorHex, idToHex, isId } from "../../../domain/ids/ids.js";
import { EVERY_DECISION, type DecisionScope } from "../../../domain/vocabulary/decision-scope.js";
import { MODES } from "../../../domain/vocabulary/vocabulary.js";
import { prepared } from "../../../platform/postgres/prepared.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";
import { isInScope } from "./decision-page.js";
import { END_MS, nextIdHex, type Span } from "./id-spans.js";
import { countOlderRows, olderPart } from "./older-rows.js";

/** LOG-26: the meaning of a search text within a scope. */
export type Searched =
  | { kind: "decision"; ids: Span }
  | { kind: "order"; orderId: string }
  /** The search text is the beginning of these decision ids. */
  | { kind: "decisions"; ids: Span }
  | { kind: "orders"; orderStart: string };

/** A complete id that exists within the bounds takes precedence over ids that begin with the text. */
export async function findSearched(
  client: TenantConnection,
  scope: DecisionScope,
  text: string,
  bounds: Span,
): Promise<Searched> {
  if (isId(text, "dec") && (await isInScope(client, scope, text))) {
    const low = idToHex(text);
    return { kind: "decision", ids: { low, high: nextIdHex(low) } };
  }
  if (await hasOrder(client, scope, text, bounds)) return { kind: "order", orderId: text };
  const ids = idsBeginning(text);
  return ids === null ? { kind: "orders", orderStart: text } : { kind: "decisions", ids };
}

/** The decisions of an order, in no order. Each decision is a span of one id. */
export async function findOrderIds(
  client: TenantConnection,
  scope: DecisionScope,
  orderId: string,
): Promise<Span[]> {
  const { rows } = await client.query<{ id: string }>(
    prepared("select found.id from order_decisions($1, $2) as found (id)", [
      MODES.indexOf(scope.mode),
      orderId,
    ]),
  );
  return rows.map(({ id }) => {
    const low = id.replaceAll("-", "");
    return { low, high: nextIdHex(low) };
  });
}

async function hasOrder(
  client: TenantConnection,
  scope: DecisionScope,
  orderId: string,
  bounds: Span,
): Promise<boolean> {
  const { rows } = await client.query(
    prepared(
      `select from order_decisions($2, $3) as found (decision_id)
       join decisions d on d.decision_id = found.decision_id
       where d.workspace_id = $1 and d.mode = $2 and ($4::text is null or d.merchant_id = $4)
         and d.decision_id >= $5 and d.decision_id < $6 limit 1`,
      [
        idToHex(scope.workspaceId),
        MODES.indexOf(scope.mode),
        orderId,
        scope.merchantScope,
        bounds.low,
        bounds.high,
      ],
    ),
  );
  if (rows.length > 0) return true;
  const span = olderPart(client, scope, bounds);
  return span !== null && (await countOlderRows(span, scope, { ...EVERY_DECISION, orderId })) > 0;
}

const FIRST_ID = `dec_${"0".repeat(26)}`;
const LAST_ID = `dec_7${"z".repeat(25)}`;

/** Returns the range of ids that begin with a text, or null if the text cannot begin a decision's id. */
function idsBeginning(text: string): Span | null {
  const lowest = text + FIRST_ID.slice(text.length);
  if (!text.startsWith("dec_") || !isId(lowest, "dec")) return null;
  const low = idToHex(lowest);
  // No decision has an id after END_MS, so the range ends there.
  const highest = text + LAST_ID.slice(text.length);
  const high = highest === LAST_ID ? idFloorHex(END_MS) : nextIdHex(idToHex(highest));
  return { low, high };
}
