import type { Role } from "../../domain/vocabulary/vocabulary.js";
import type { Account } from "../api/wire-types.js";
import type { IconName } from "../design/base/icon.js";
import type { LazyPage } from "./lazy-page.js";

export interface Page {
  /** A wouter pattern below /dashboard. */
  path: string;
  /** The title of the window. With an icon, the page is also in the navigation under this title. */
  title: string;
  /** Absent if only other pages link to the page. */
  icon?: IconName;
  section: "monitor" | "decide" | "connect" | "administer";
  /** The roles that may read the page. For other roles it does not exist. */
  roles: readonly Role[];
  /** True if only the platform's administrator sees the page, whatever their role. */
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
