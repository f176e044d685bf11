import { hashKey, useQuery, type UseQueryOptions } from "@tanstack/react-query";
import { useState } from "react";

/** The state of a read from the service. */
export interface Read<Data> {
  data: Data | undefined;
  /** The reason why there was no answer. It stays during retries, until an answer arrives. */
  error: Error | null;
  /** True while the first answer is on its way. */
  isPending: boolean;
  /** True while the data belongs to another request and the first answer to this one is on its way. */
  isPlaceholderData: boolean;
  isFetching: boolean;
  refetch(): Promise<unknown>;
}

/**
 * Reads from the service. Without this function, react-query forgets the last failure at each retry, and shows the data
 * of the previous request again. The page would then flicker between the failure and that data.
 */
export function useRead<Data>(options: UseQueryOptions<Data>): Read<Data> {
  const query = useQuery(options);
  const hash = hashKey(options.queryKey);
  const [failure, setFailure] = useState<{ hash: string; error: Error } | null>(null);
  if (query.error !== null && query.error !== failure?.error) setFailure({ hash, error: query.error });
  const isUnanswered = query.errorUpdateCount > 0 && (query.data === undefined || query.isPlaceholderData);
  const lastError = isUnanswered && failure?.hash === hash ? failure.error : null;
  const data = isUnanswered ? undefined : query.data;
  const error = query.error ?? lastError;
  return {
    data,
    error,
    isPending: data === undefined && error === null,
    isPlaceholderData: !isUnanswered && query.isPlaceholderData,
    // This is a getter, because reading `isFetching` makes a component render twice per answer.
    get isFetching() {
      return query.isFetching;
    },
    refetch: query.refetch,
  };
}
