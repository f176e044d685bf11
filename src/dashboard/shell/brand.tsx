/** Shows the service's name and logo. */
export function Brand() {
  return (
    <span className="brand">
      <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="var(--accent-fill)" />
        <path
          d="M8 22h6l4-12h6"
          fill="none"
          stroke="#fff"
          strokeWidth="3"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
        <path
          d="M18 22h6"
          fill="none"
          stroke="#fff"
          strokeOpacity="0.6"
          strokeWidth="3"
          strokeLinecap="round"
        />
      </svg>
      PayInference
    </span>
  );
}
