import "./states.css";

/** Keeps the place of loading content at its final size, so that nothing moves when it arrives. */
export function Skeleton({ heightPx, widthPx }: { heightPx: number; widthPx?: number }) {
  return (
    <span
      className="skeleton"
      aria-hidden="true"
      style={{ height: heightPx, width: widthPx === undefined ? "100%" : widthPx }}
    />
  );
}
