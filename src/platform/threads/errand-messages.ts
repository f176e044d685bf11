/** Messages from the front thread to the password thread or the translate thread, which do one task at a time. */
export type ErrandCommand<Task> = { type: "work"; ticket: number; task: Task } | { type: "stop" };

/** Messages from the password thread or the translate thread to the front thread. */
export type ErrandReport<Answer> =
  | { type: "answer"; ticket: number; answer: Answer }
  /** `where` has the error's kind and the frames of its stack. */
  | { type: "failed"; ticket: number; where: string };
