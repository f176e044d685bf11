/** A message from the front to the password or the translate thread. Each of these threads does one task at a time. */
export type ErrandCommand<Task> = { type: "work"; ticket: number; task: Task } | { type: "stop" };

/** Password, translate → front. */
export type ErrandReport<Answer> =
  | { type: "answer"; ticket: number; answer: Answer }
  /** `where` is the kind of the error and the frames of its stack. */
  | { type: "failed"; ticket: number; where: string };
