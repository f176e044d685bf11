import { open } from "lmdb";

/**
 * The number of threads with an open read transaction in the LMDB environment in directory `path`. Such a transaction
 * keeps the pages of its snapshot in use.
 */
export async function heldSnapshots(path: string): Promise<number> {
  const env = open({ path });
  // There is one line for each slot that a thread has used: process, thread, and the transaction it reads, or "-".
  const [, ...slots] = env.readerList().split("\n");
  await env.close();
  return slots.filter((slot) => /\s\d+\s*$/.test(slot)).length;
}
