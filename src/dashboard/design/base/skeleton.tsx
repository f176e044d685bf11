import "./states.css";

/** Holds the place of what is loading, in its size, so that nothing moves when it comes. */
export function Skeleton({ heightPx, widthPx }: { heightPx: number; widthPx?: number }) {
  return (
    <span
      className="skeleton"
      aria-hidden="true"
      style={{ height: heightPx, width: widthPx === undefined ? "100%" : widthPx }}
    />
  );
}
