/**
 * Folders that import each other, by value or by type. The list only shrinks: `npm run check` fails for another circle,
 * and for a folder here that is in none.
 */
export const KNOWN_CIRCLES: readonly (readonly string[])[] = [
  ["bench", "bench/engine", "bench/growth", "bench/harness"],
  [
    "src/dashboard",
    "src/dashboard/pages/accept-invitation",
    "src/dashboard/pages/analytics",
    "src/dashboard/pages/api-keys",
    "src/dashboard/pages/decision",
    "src/dashboard/pages/decisions",
    "src/dashboard/pages/drills",
    "src/dashboard/pages/integrations",
    "src/dashboard/pages/not-found",
    "src/dashboard/pages/overview",
    "src/dashboard/pages/platform",
    "src/dashboard/pages/policies",
    "src/dashboard/pages/policies/editor",
    "src/dashboard/pages/policies/trial",
    "src/dashboard/pages/pricing",
    "src/dashboard/pages/register",
    "src/dashboard/pages/reviews",
    "src/dashboard/pages/settings",
    "src/dashboard/pages/shadow-report",
    "src/dashboard/pages/sign-in",
    "src/dashboard/pages/team",
    "src/dashboard/pages/usage",
    "src/dashboard/session",
    "src/dashboard/shell",
  ],
];
