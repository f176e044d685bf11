import { useMutation, type UseMutationOptions, type UseMutationResult } from "@tanstack/react-query";
import { useLayoutEffect, useRef } from "react";

/**
 * DASH-6: an action that a person starts. It is sent once, even if they click several times while it is under way. A
 * mutation shows its start at the next render, and on a slow machine a second click may come before that. So the click
 * itself closes a guard. The guard opens once the page shows the end of the action.
 */
export function useAction<Data, Variables = void, Context = unknown>(
  options: UseMutationOptions<Data, Error, Variables, Context>,
): UseMutationResult<Data, Error, Variables, Context> {
  const mutation = useMutation(options);
  const { submittedAt, isPending } = mutation;
  /** The start time of the action that the page shows. */
  const shown = useRef(submittedAt);
  /** The start time that the page showed when the present action began. Null if no action is under way. */
  const shownAtStart = useRef<number | null>(null);
  useLayoutEffect(() => {
    shown.current = submittedAt;
    // Until the page shows the new start, it still shows the end of an earlier action.
    if (submittedAt !== shownAtStart.current && !isPending) shownAtStart.current = null;
  });
  const start: typeof mutation.mutateAsync = (...args) => {
    // The first call's caller gets the answer. A repeated call never settles.
    if (shownAtStart.current !== null) return new Promise(() => undefined);
    shownAtStart.current = shown.current;
    return mutation.mutateAsync(...args);
  };
  return {
    ...mutation,
    mutateAsync: start,
    mutate: (...args) => {
      // The failure is in `error`, and the callbacks receive it too.
      start(...args).catch(() => undefined);
    },
    reset: () => {
      if (shownAtStart.current === null) mutation.reset();
    },
  };
}
