import { AsyncLocalStorage } from "node:async_hooks";

/** Names the file with the edge's certificate and key in a run in which each service is two nodes behind the edge. */
export const TWO_NODES_VARIABLE = "TEST_TWO_NODES_CERTIFICATE";

export const IS_TWO_NODES = process.env[TWO_NODES_VARIABLE] !== undefined;

/** Of a test whose title says "node" or "process": what it holds is no promise of several. */
export const ONE_NODE: { skip: string | false } = { skip: IS_TWO_NODES ? "is about one node" : false };

const NODES = 2;
const asked = new AsyncLocalStorage<number>();

/** Which node the requests of this call go to, past the edge; null for the edge. */
export const askedNode = (): number | null => asked.getStore() ?? null;

/**
 * `check` with each node in turn as the one that is asked: what is waited for must hold on all of them, and through the
 * edge one would do. Resolves to what the last one says.
 */
export async function onEachNode<T>(check: () => Promise<T>): Promise<T> {
  if (!IS_TWO_NODES || askedNode() !== null) return check();
  for (let node = 0; node < NODES - 1; node++) await asked.run(node, check);
  return asked.run(NODES - 1, check);
}
