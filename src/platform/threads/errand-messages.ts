/**
 * Messages from the front thread to the password thread or the translate thread. Each of these threads does one task
 * at a time.
 */
export type ErrandCommand<Task> = { type: "work"; ticket: number; task: Task } | { type: "stop" };

/** Password or translate thread → front thread. */
export type ErrandReport<Answer> =
  | { type: "answer"; ticket: number; answer: Answer }
  /** `where` has the kind of the error and the frames of its stack. */
  | { type: "failed"; ticket: number; where: string };
