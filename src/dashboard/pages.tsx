import { lazy, type ComponentType } from "react";
import { ROLES, type Role } from "../shared/vocabulary.js";
import type { IconName } from "./design/icon.js";

export interface Page {
  /** Under /dashboard; a wouter pattern. */
  path: string;
  /** In the window's title and, where there is an icon, in the navigation. */
  title: string;
  /** Left out for pages that other pages lead to. */
  icon?: IconName;
  section: "monitor" | "decide" | "connect" | "administer";
  /** contract §3: who may read what it shows. For anybody else it does not exist. */
  roles: readonly Role[];
  /** A page's code is loaded when it is first opened. */
  component: ComponentType;
}

export const SECTION_TITLES = {
  monitor: "Monitor",
  decide: "Decide",
  connect: "Connect",
  administer: "Administer",
} as const satisfies Record<Page["section"], string>;

const decisions = lazy(() => import("./pages/decisions/decisions-page.js"));
const decision = lazy(() => import("./pages/decision/decision-page.js"));
const reviews = lazy(() => import("./pages/reviews/reviews-page.js"));
const shadowReport = lazy(() => import("./pages/shadow-report/shadow-report-page.js"));
const overview = lazy(() => import("./pages/overview/overview-page.js"));

/** Every page behind the sign-in, in the order of the navigation. */
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
];
