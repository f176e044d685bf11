import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isPassing, ProblemError, statusOf } from "./problem.js";

const RETRIES = 2;
/** Of a read that failed, and that its page does not ask more often anyway. */
const ASK_AGAIN_EVERY_MS = 5000;

declare module "@tanstack/react-query" {
  interface Register {
    /** `isAttempt`: its 401 says that a password is wrong, not that the session has ended. */
    mutationMeta: { isAttempt?: boolean };
  }
}

/**
 * CLI-2: an answer is an answer; only outages are asked again at once, and what may pass a little later. An action is
 * sent once, when it is asked for. `onSignedOut`: a request met a 401.
 */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown): void => {
    if (statusOf(error) === 401) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (mutation.meta?.isAttempt !== true) onError(error);
      },
    }),
    defaultOptions: {
      queries: {
        // What was waited for in vain has taken long enough.
        retry: (failures, error) => statusOf(error) === null && !isTimeout(error) && failures < RETRIES,
        refetchInterval: ({ state }) =>
          state.status === "error" && isPassing(state.error) ? ASK_AGAIN_EVERY_MS : false,
        refetchOnWindowFocus: true,
        refetchOnReconnect: true,
        staleTime: 1000,
        // Of a network that the browser thinks gone a page would learn nothing: it would wait, and show what it has.
        networkMode: "always",
      },
      // An action that waited for the network would be done later, when nobody looks.
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

function isTimeout(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.kind === "timeout";
}
