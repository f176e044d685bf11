/**
 * What `answer` comes to, or `late` once `timeoutMs` have passed. An AbortSignal on a timer of node:timers/promises would
 * say the same, but aborted it makes two errors with their stacks: a quarter of what a page cost the front thread.
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
