import { hashKey, useQuery, type UseQueryOptions } from "@tanstack/react-query";
import { useState } from "react";

/** What is known of something that the service was asked for. */
export interface Read<Data> {
  data: Data | undefined;
  /** Why there was no answer; stays while it is asked again, until there is one. */
  error: Error | null;
  /** The first answer is on its way. */
  isPending: boolean;
  /** The data answers another question, and the first answer to this one is on its way. */
  isPlaceholderData: boolean;
  isFetching: boolean;
  refetch(): Promise<unknown>;
}

/**
 * A read of the service. By itself react-query forgets at each new try why the one before failed, and shows what answers
 * another question again: a page would go to and fro between its error and what is none of its own.
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
    // Read only by who shows it: whoever reads it is rendered twice at each answer.
    get isFetching() {
      return query.isFetching;
    },
    refetch: query.refetch,
  };
}
