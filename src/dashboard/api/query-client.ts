import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { statusOf } from "./problem.js";

const RETRIES = 2;

declare module "@tanstack/react-query" {
  interface Register {
    /** `isAttempt`: its 401 says that a password is wrong, not that the session has ended. */
    mutationMeta: { isAttempt?: boolean };
  }
}

/** Contract §2: an answer is an answer; only outages are asked again. `onSignedOut`: a request met a 401. */
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
        retry: (failures, error) => statusOf(error) === null && failures < RETRIES,
        refetchOnWindowFocus: true,
        staleTime: 1000,
      },
      mutations: { retry: false },
    },
  });
}
