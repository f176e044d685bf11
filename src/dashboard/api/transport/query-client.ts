import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isPassing, ProblemError, statusOf } from "./problem.js";

/** The key of the signed-in person's account and role. */
export const ACCOUNT = ["me"] as const;

const RETRIES = 2;
/** The interval at which a failed read is repeated, unless the read has an interval of its own. */
const ASK_AGAIN_EVERY_MS = 5000;

declare module "@tanstack/react-query" {
  interface Register {
    /** `isAttempt`: a 401 refuses what the action sent, such as a password or a key. The session has not ended. */
    mutationMeta: { isAttempt?: boolean };
  }
}

/**
 * CLI-2: only outages are retried at once. A read whose failure may pass is repeated a little later. An action is sent
 * only once. `onSignedOut` is called when a request gets a 401, and `onForbidden` when one gets a 403: the person's role
 * may be another now (ACC-8), or the workspace may require one-time codes (DASH-33).
 */
export function createQueryClient(onSignedOut: () => void, onForbidden: () => void): QueryClient {
  const onError = (error: unknown): void => {
    if (statusOf(error) === 401) onSignedOut();
    if (statusOf(error) === 403) onForbidden();
  };
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey }) => {
        // A suspended workspace's account is 403 as well. Asking for the account again would never end.
        if (queryKey[0] !== ACCOUNT[0] || statusOf(error) !== 403) onError(error);
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (mutation.meta?.isAttempt !== true) onError(error);
      },
    }),
    defaultOptions: {
      queries: {
        // A timeout is not retried, because it has already taken long enough.
        retry: (failures, error) => statusOf(error) === null && !isTimeout(error) && failures < RETRIES,
        refetchInterval: ({ state }) =>
          state.status === "error" && isPassing(state.error) ? ASK_AGAIN_EVERY_MS : false,
        refetchOnWindowFocus: true,
        refetchOnReconnect: true,
        staleTime: 1000,
        // By default, a read would wait while the browser believes that the network is gone, and report no failure.
        networkMode: "always",
      },
      // By default, an action would wait for the network and run later, without anybody watching.
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

function isTimeout(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.kind === "timeout";
}
