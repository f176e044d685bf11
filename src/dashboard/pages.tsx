import { ROLES, type Role } from "../domain/vocabulary/vocabulary.js";
import { lazyPage } from "./shell/lazy-page.js";
import type { Page } from "./shell/page.js";

const decisions = lazyPage(() => import("./pages/decisions/decisions-page.js"));
const decision = lazyPage(() => import("./pages/decision/decision-page.js"));
const reviews = lazyPage(() => import("./pages/reviews/reviews-page.js"));
const shadowReport = lazyPage(() => import("./pages/shadow-report/shadow-report-page.js"));
const overview = lazyPage(() => import("./pages/overview/overview-page.js"));
const policies = lazyPage(() => import("./pages/policies/policies-page.js"));
const merchant = lazyPage(() => import("./pages/merchant/merchant-page.js"));
const pricing = lazyPage(() => import("./pages/pricing/pricing-page.js"));

const EDITORS = ["owner", "admin", "developer"] as const satisfies readonly Role[];
const LEADERS = ["owner", "admin"] as const satisfies readonly Role[];
const analytics = lazyPage(() => import("./pages/analytics/analytics-page.js"));
const apiKeys = lazyPage(() => import("./pages/api-keys/api-keys-page.js"));
const requests = lazyPage(() => import("./pages/requests/requests-page.js"));
const integrations = lazyPage(() => import("./pages/integrations/integrations-page.js"));
const events = lazyPage(() => import("./pages/events/events-page.js"));
const drills = lazyPage(() => import("./pages/drills/drills-page.js"));
const team = lazyPage(() => import("./pages/team/team-page.js"));
const settings = lazyPage(() => import("./pages/settings/settings-page.js"));
const usage = lazyPage(() => import("./pages/usage/usage-page.js"));
const account = lazyPage(() => import("./pages/account/account-page.js"));
const exportsPage = lazyPage(() => import("./pages/exports/exports-page.js"));
const auditLog = lazyPage(() => import("./pages/audit-log/audit-log-page.js"));
const platform = lazyPage(() => import("./pages/platform/platform-page.js"));
const setAside = lazyPage(() => import("./pages/set-aside/set-aside-page.js"));

/** All pages that need a session, in the order of the navigation. */
export const PAGES: readonly Page[] = [
  { path: "/", title: "Overview", icon: "overview", section: "monitor", roles: ROLES, component: overview },
  {
    path: "/decisions",
    title: "Decisions",
    icon: "decisions",
    section: "monitor",
    roles: ROLES,
    component: decisions,
  },
  {
    path: "/decisions/:decisionId",
    title: "Decision",
    section: "monitor",
    roles: ROLES,
    component: decision,
  },
  {
    path: "/reviews",
    title: "Reviews",
    icon: "reviews",
    section: "monitor",
    roles: ROLES,
    component: reviews,
  },
  {
    path: "/shadow-report",
    title: "Shadow report",
    icon: "shadow",
    section: "monitor",
    roles: ROLES,
    component: shadowReport,
  },
  {
    path: "/analytics",
    title: "Analytics",
    icon: "analytics",
    section: "monitor",
    roles: ROLES,
    component: analytics,
  },
  {
    path: "/policies",
    title: "Policies",
    icon: "policies",
    section: "decide",
    roles: ROLES,
    component: policies,
  },
  {
    path: "/pricing",
    title: "Pricing",
    icon: "pricing",
    section: "decide",
    roles: ROLES,
    component: pricing,
  },
  // The list of merchants in Settings leads here, and so does a merchant's id in the log.
  { path: "/merchants/:merchantId", title: "Merchant", section: "decide", roles: ROLES, component: merchant },
  {
    path: "/api-keys",
    title: "API keys",
    icon: "keys",
    section: "connect",
    roles: EDITORS,
    component: apiKeys,
  },
  {
    path: "/requests",
    title: "Requests",
    icon: "requests",
    section: "connect",
    roles: EDITORS,
    component: requests,
  },
  {
    path: "/integrations",
    title: "Integrations",
    icon: "integrations",
    section: "connect",
    roles: EDITORS,
    component: integrations,
  },
  {
    path: "/events",
    title: "Events",
    icon: "events",
    section: "connect",
    roles: EDITORS,
    component: events,
  },
  {
    path: "/drills",
    title: "Drills",
    icon: "drills",
    section: "connect",
    roles: LEADERS,
    component: drills,
  },
  { path: "/team", title: "Team", icon: "team", section: "administer", roles: ROLES, component: team },
  {
    path: "/settings",
    title: "Settings",
    icon: "settings",
    section: "administer",
    roles: ROLES,
    component: settings,
  },
  { path: "/usage", title: "Usage", icon: "usage", section: "administer", roles: LEADERS, component: usage },
  // The signed-in person's name in the navigation leads here.
  { path: "/account", title: "Account", section: "administer", roles: ROLES, component: account },
  {
    path: "/audit-log",
    title: "Audit log",
    icon: "audit",
    section: "administer",
    roles: LEADERS,
    component: auditLog,
  },
  {
    path: "/exports",
    title: "Exports",
    icon: "download",
    section: "administer",
    roles: ROLES,
    component: exportsPage,
  },
  {
    path: "/platform",
    title: "Platform",
    icon: "platform",
    section: "administer",
    roles: ROLES,
    isPlatform: true,
    component: platform,
  },
  {
    path: "/set-aside",
    title: "Set aside",
    icon: "replay",
    section: "administer",
    roles: ROLES,
    isPlatform: true,
    component: setAside,
  },
];
