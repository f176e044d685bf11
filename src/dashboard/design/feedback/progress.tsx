import "./progress.css";

/** Shows the progress. `done` and `total` have the same unit, and `text` is the progress in words. */
export function Progress({
  label,
  done,
  total,
  text,
}: {
  label: string;
  done: number;
  total: number;
  text: string;
}) {
  const percent = total === 0 ? 0 : Math.min(100, (100 * done) / total);
  return (
    <div className="progress">
      <div
        className="progress-bar"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(percent)}
        aria-valuetext={text}
      >
        <div className="progress-done" style={{ width: `${percent}%` }} />
      </div>
      <p className="muted">{text}</p>
    </div>
  );
}
