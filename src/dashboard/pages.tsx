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

const overview = lazy(() => import("./pages/overview/overview-page.js"));
const policies = lazy(() => import("./pages/policies/policies-page.js"));
const pricing = lazy(() => import("./pages/pricing/pricing-page.js"));

/** Every page behind the sign-in, in the order of the navigation. */
export const PAGES: readonly Page[] = [
  { path: "/", title: "Overview", icon: "overview", section: "monitor", roles: ROLES, component: overview },
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
];
