import type { ReactNode } from "react";
import type { Read } from "../../api/transport/read.js";
import { ErrorState } from "./error-state.js";
import { Skeleton } from "../base/skeleton.js";
import "./loaded.css";

interface LoadedProps<Data> {
  query: Read<Data>;
  /** The height of the place while it loads, and its minimum height afterwards. */
  heightPx: number;
  /** False while other data that is shown with the answer, such as names, is on its way. */
  isReady?: boolean;
  children(data: Data): ReactNode;
}

/** Shows the answer of a query, or its place while it loads. The error shows only when there is no older answer. */
export function Loaded<Data>({ query, heightPx, isReady = true, children }: LoadedProps<Data>) {
  const { data, error, refetch } = query;
  return (
    <div className="loaded" style={{ minHeight: heightPx }}>
      {data !== undefined && isReady ? (
        children(data)
      ) : data === undefined && error !== null ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <div className="loaded-wait">
          <Skeleton heightPx={heightPx - 20} />
        </div>
      )}
    </div>
  );
}
