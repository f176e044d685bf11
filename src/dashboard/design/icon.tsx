/** Strokes on a 16 px square. */
const PATHS = {
  overview: "M2.5 9.5h3v4h-3zM6.5 5.5h3v8h-3zM10.5 2.5h3v11h-3z",
  decisions: "M3 3.5h10M3 8h10M3 12.5h6",
  reviews: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 5v3.2l2.2 1.4",
  policies: "M4 2.5h6l2.5 2.5v8.5h-8.5zM6 7.5h4.5M6 10.5h4.5",
  pricing:
    "M8 2v12M11 4.8C10.4 4 9.4 3.5 8 3.5c-1.8 0-3 .8-3 2.1 0 3 6 1.700 6 4.700 0 1.400-1.300 2.200-3 2.200-1.500 0-2.700-.600-3.200-1.600",
  keys: "M9.500 9.500a3.500 3.500 0 1 0-3.200-2.100L2.500 11.200v2.300h2.300v-1.500h1.500v-1.500h1.200l.800-.9M10.500 5.500h.010",
  team: "M6 7.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM1.500 13.500c0-2.500 2-4 4.500-4s4.500 1.500 4.500 4M10.500 2.800a2.500 2.500 0 0 1 0 4.400M12 9.900c1.500.600 2.500 1.900 2.500 3.600",
  integrations:
    "M6 10 10 6M7 4.500 8.800 2.700a3.200 3.200 0 0 1 4.500 4.500L11.500 9M9 11.500l-1.800 1.800a3.200 3.200 0 0 1-4.500-4.500L4.500 7",
  audit: "M3.500 2.500h9v11h-9zM6 5.500h4M6 8h4M6 10.500h2.500",
  settings:
    "M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM8 1.800v1.700M8 12.500v1.700M1.800 8h1.700M12.500 8h1.700M3.600 3.600l1.200 1.200M11.200 11.200l1.200 1.200M3.600 12.400l1.200-1.200M11.200 4.800l1.200-1.200",
  drills: "M8 2 2 13.500h12zM8 6.500v3M8 11.500h.010",
  platform: "M2.500 13.500v-8l5.500-3 5.500 3v8zM6 13.500v-4h4v4",
  menu: "M2.500 4.500h11M2.500 8h11M2.500 11.500h11",
  close: "m4 4 8 8M12 4l-8 8",
  sun: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1.500v1M8 13.500v1M1.500 8h1M13.500 8h1M3.400 3.400l.7.7M11.900 11.900l.7.7M3.400 12.600l.7-.7M11.900 4.100l.7-.7",
  moon: "M13.500 9.500A5.800 5.800 0 0 1 6.500 2.500a5.800 5.800 0 1 0 7 7Z",
  sign_out: "M6.500 2.500h-4v11h4M10 5l3 3-3 3M13 8H6.500",
  add: "M8 3v10M3 8h10",
  duplicate: "M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3",
  up: "M8 13V3.500M4 7l4-3.500L12 7",
  down: "M8 3v9.500M4 9l4 3.500L12 9",
  remove: "M3 4.500h10M6 4.500v-2h4v2M4.500 4.500l.6 9h5.800l.6-9",
  check: "m3 8.500 3.200 3.200L13 4.800",
  previous: "M10 3.500 5.500 8l4.500 4.500",
  next: "M6 3.500 10.500 8 6 12.500",
} as const;
export type IconName = keyof typeof PATHS;

/** Decoration: what it stands for is in the text beside it, or in the label of its button. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
