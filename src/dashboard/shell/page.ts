import type { Role } from "../../domain/vocabulary/vocabulary.js";
import type { Account } from "../api/wire-types.js";
import type { IconName } from "../design/base/icon.js";
import type { LazyPage } from "./lazy-page.js";

export interface Page {
  /** Under /dashboard; a wouter pattern. */
  path: string;
  /** In the window's title and, where there is an icon, in the navigation. */
  title: string;
  /** Left out for pages that other pages lead to. */
  icon?: IconName;
  section: "monitor" | "decide" | "connect" | "administer";
  /** Who may read what it shows. For anybody else it does not exist. */
  roles: readonly Role[];
  /** For the platform's administrator alone, whatever their role. */
  isPlatform?: true;
  /** A page's code is loaded when it is first opened. */
  component: LazyPage;
}

export const SECTION_TITLES = {
  monitor: "Monitor",
  decide: "Decide",
  connect: "Connect",
  administer: "Administer",
} as const satisfies Record<Page["section"], string>;

/** Whether a page exists for somebody. */
export function mayOpen(page: Page, { role, platform_admin }: Account): boolean {
  return page.isPlatform === true ? platform_admin === true : page.roles.includes(role);
}
