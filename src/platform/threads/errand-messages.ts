/** Front → password, translate: threads that do one thing at a time for the front. */
export type ErrandCommand<Task> = { type: "work"; ticket: number; task: Task } | { type: "stop" };

/** Password, translate → front. */
export type ErrandReport<Answer> =
  | { type: "answer"; ticket: number; answer: Answer }
  /** `where`: the kind of error and the frames of its stack. */
  | { type: "failed"; ticket: number; where: string };
