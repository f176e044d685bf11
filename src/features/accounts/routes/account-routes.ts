import type { Route } from "../../../path/front/route.js";
import type { AccountSettings } from "../account-response.js";
import { changePasswordRoute } from "./change-password.js";
import { loginRoute } from "./login.js";
import { logoutRoute } from "./logout.js";
import { meRoute } from "./me.js";
import { registerRoute } from "./register.js";
import type { Accounts } from "../service.js";
import type { ChangePassword } from "../change-password.js";

export interface AccountRoutesParts {
  accounts: Accounts;
  changePassword: ChangePassword;
  accountSettings: AccountSettings;
}

/** The routes by which people register, sign in and sign out. */
export function accountRoutes({ accounts, changePassword, accountSettings }: AccountRoutesParts): Route[] {
  return [
    registerRoute(accounts.register, accountSettings),
    loginRoute(accounts.login, accountSettings),
    logoutRoute(accounts.logout, accountSettings),
    meRoute(accounts.me, accountSettings),
    changePasswordRoute(changePassword),
  ];
}
