/**
 * Finds an order's decisions by the index decisions_order (migrations/0003_decisions.sql), over `decisions d` with the
 * workspace as `$1`; the columns decide between orders of one hash.
 */
export function orderCondition(orderParameter: string): string {
  return `hashtextextended(d.order_id, uuid_hash_extended(d.workspace_id, 0))
      = hashtextextended(${orderParameter}, uuid_hash_extended($1::uuid, 0)) and d.order_id = ${orderParameter}`;
}
