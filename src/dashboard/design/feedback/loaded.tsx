import type { ReactNode } from "react";
import type { Read } from "../../api/transport/read.js";
import { ErrorState } from "./error-state.js";
import { Skeleton } from "../base/skeleton.js";
import "./loaded.css";

interface LoadedProps<Data> {
  query: Read<Data>;
  /** Of the place it has while it loads, and at least afterwards. */
  heightPx: number;
  children(data: Data): ReactNode;
}

/** What a request answered; its place while it is on its way; why it failed, where there is nothing older to show. */
export function Loaded<Data>({ query, heightPx, children }: LoadedProps<Data>) {
  const { data, error, refetch } = query;
  return (
    <div className="loaded" style={{ minHeight: heightPx }}>
      {data !== undefined ? (
        children(data)
      ) : error !== null ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <div className="loaded-wait">
          <Skeleton heightPx={heightPx - 20} />
        </div>
      )}
    </div>
  );
}
