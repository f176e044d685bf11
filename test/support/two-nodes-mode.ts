import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The name of the variable that names the file with the edge's certificate and key. It is set in a run in which each
 * service is two nodes behind the edge.
 */
export const TWO_NODES_VARIABLE = "TEST_TWO_NODES_CERTIFICATE";

export const IS_TWO_NODES = process.env[TWO_NODES_VARIABLE] !== undefined;

/**
 * The options of a test whose title says "node" or "process". What it tests holds for one node only, so the two-node
 * run skips it.
 */
export const ONE_NODE: { skip: string | false } = { skip: IS_TWO_NODES ? "is about one node" : false };

const NODES = 2;
const asked = new AsyncLocalStorage<number>();

/** The index of the node that gets the requests of this call directly. Null for the edge. */
export const askedNode = (): number | null => asked.getStore() ?? null;

/**
 * Runs `check` on each node in turn, because its condition must hold on all of them. Through the edge, it would reach
 * only one node. Resolves to the last result.
 */
export async function onEachNode<T>(check: () => Promise<T>): Promise<T> {
  if (!IS_TWO_NODES || askedNode() !== null) return check();
  for (let node = 0; node < NODES - 1; node++) await asked.run(node, check);
  return asked.run(NODES - 1, check);
}
