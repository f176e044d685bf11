import { useStaleness } from "../api/transport/staleness.js";
import { useNowMs } from "../design/base/age.js";
import { formatExactTime, formatMoment } from "../design/base/format.js";

/**
 * If the service stops answering, loaded data stays visible. This notice says so once for the whole page. Screen
 * readers read only the constant words, and only when the notice appears.
 */
export function StaleNotice() {
  const staleness = useStaleness();
  const nowMs = useNowMs();
  return (
    <div className={staleness === null ? undefined : "stale-strip"}>
      <span role="status">
        {staleness === null
          ? null
          : staleness.isOutage
            ? "The service cannot be reached: what is shown here is not live."
            : "The service could not answer everything: not all that is shown here is live."}
      </span>
      {staleness === null ? null : (
        <>
          {" "}
          It is as of{" "}
          <time dateTime={isoOf(staleness.asOfMs)} title={formatExactTime(isoOf(staleness.asOfMs))}>
            {formatMoment(staleness.asOfMs, nowMs)}
          </time>
          , and asked for again by itself.
        </>
      )}
    </div>
  );
}

function isoOf(atMs: number): string {
  return new Date(atMs).toISOString();
}
