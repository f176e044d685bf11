import { open } from "lmdb";

/** How many threads hold a state of the LMDB environment in the directory `path`, and with it every page in use then. */
export async function heldSnapshots(path: string): Promise<number> {
  const env = open({ path });
  // A line for each slot that a thread has had: process, thread, and the transaction it reads, or "-".
  const [, ...slots] = env.readerList().split("\n");
  await env.close();
  return slots.filter((slot) => /\s\d+\s*$/.test(slot)).length;
}
