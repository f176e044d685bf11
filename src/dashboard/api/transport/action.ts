import { useMutation, type UseMutationOptions, type UseMutationResult } from "@tanstack/react-query";
import { useLayoutEffect, useRef } from "react";

/**
 * DASH-6: an action that a person asks for. It is sent once, however often they click while it is under way. A mutation
 * learns of its own start at the next render, and on a slow machine a second click comes before that. So the click itself
 * closes the guard. The guard opens once the end of the action is on the page.
 */
export function useAction<Data, Variables = void, Context = unknown>(
  options: UseMutationOptions<Data, Error, Variables, Context>,
): UseMutationResult<Data, Error, Variables, Context> {
  const mutation = useMutation(options);
  const { submittedAt, isPending } = mutation;
  /** Which start the page shows. */
  const shown = useRef(submittedAt);
  /** The one it showed as the action under way was started; null where none is under way. */
  const shownAtStart = useRef<number | null>(null);
  useLayoutEffect(() => {
    shown.current = submittedAt;
    // Until its own start is shown, what is shown is the end of an earlier action.
    if (submittedAt !== shownAtStart.current && !isPending) shownAtStart.current = null;
  });
  const start: typeof mutation.mutateAsync = (...args) => {
    // Whoever waits for the first is told. A repetition never settles.
    if (shownAtStart.current !== null) return new Promise(() => undefined);
    shownAtStart.current = shown.current;
    return mutation.mutateAsync(...args);
  };
  return {
    ...mutation,
    mutateAsync: start,
    mutate: (...args) => {
      // Its failure is in `error`, and told to the callbacks.
      start(...args).catch(() => undefined);
    },
    reset: () => {
      if (shownAtStart.current === null) mutation.reset();
    },
  };
}
