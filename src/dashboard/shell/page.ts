import type { Role } from "../../domain/vocabulary/vocabulary.js";
import type { Account } from "../api/wire-types.js";
import type { IconName } from "../design/base/icon.js";
import type { LazyPage } from "./lazy-page.js";

export interface Page {
  /** A wouter pattern below /dashboard. */
  path: string;
  /** Shown as the window's title and, with an icon, in the navigation. */
  title: string;
  /** Left out for a page that only other pages link to. */
  icon?: IconName;
  section: "monitor" | "decide" | "connect" | "administer";
  /** The roles that may read the page. For all others it does not exist. */
  roles: readonly Role[];
  /** True for a page of the platform's administrator only, whatever their role. */
  isPlatform?: true;
  /** The page's code is loaded when it is first opened. */
  component: LazyPage;
}

export const SECTION_TITLES = {
  monitor: "Monitor",
  decide: "Decide",
  connect: "Connect",
  administer: "Administer",
} as const satisfies Record<Page["section"], string>;

/** Returns whether a page exists for the account. */
export function mayOpen(page: Page, { role, platform_admin }: Account): boolean {
  return page.isPlatform === true ? platform_admin === true : page.roles.includes(role);
}
