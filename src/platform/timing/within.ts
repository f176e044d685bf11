/**
 * Resolves to `answer`, or to `late` after `timeoutMs`. A timer of node:timers/promises with an AbortSignal would also
 * do, but each abort creates two errors with stacks. These took a quarter of the front thread's work for a page of the
 * log.
 */
export async function within<Answer, Late>(
  answer: Promise<Answer>,
  timeoutMs: number,
  late: Late,
): Promise<Answer | Late> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<Late>((resolve) => {
    timer = setTimeout(() => resolve(late), timeoutMs);
  });
  try {
    return await Promise.race([answer, overdue]);
  } finally {
    clearTimeout(timer);
  }
}
