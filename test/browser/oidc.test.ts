import assert from "node:assert/strict";
import { afterEach, before, describe, it } from "node:test";
import { newEmail, register } from "../support/people/accounts.js";
import {
  closePages,
  SKIP_WITHOUT_BROWSER,
  visit,
  type Visit,
  type VisitOptions,
} from "../support/people/browser.js";
import {
  PERSON_HEADER,
  startIdentityProvider,
  type IdentityProviderServer,
  type ProvidedPerson,
} from "../support/people/identity-provider.js";
import { turnOnCodes } from "../support/people/one-time-codes.js";
import { newId } from "../support/people/tenants.js";
import { freePort } from "../support/machine/free-port.js";
import { startTestService, type RunningService } from "../support/service/service.js";
import { WEBHOOK_SECRET_KEY } from "../support/service/webhooks.js";
import { ONE_NODE } from "../support/two-nodes-mode.js";

const OPTIONS = { ...ONE_NODE, ...(SKIP_WITHOUT_BROWSER === false ? {} : { skip: SKIP_WITHOUT_BROWSER }) };

let provider: IdentityProviderServer;
let service: RunningService;
afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER !== false) return;
  const port = String(await freePort());
  // For a browser, the provider and the service are different sites.
  provider = await startIdentityProvider({ host: "localhost", publicUrl: `http://127.0.0.1:${port}` });
  service = await startTestService({
    ...provider.settings,
    PORT: port,
    AUTH_RATE_LIMIT_PER_MINUTE: "0",
    SECRET_KEY: WEBHOOK_SECRET_KEY,
  });
});

const heading = ({ page }: Visit, name: string) => page.getByRole("heading", { level: 1, name });
/** Only the redirect to the provider leaves the site. */
const ELSEWHERE = "asked http://localhost:";

async function visitAs(email: string, options: VisitOptions = {}): Promise<Visit> {
  const person: ProvidedPerson = { subject: newId("usr"), email, isEmailVerified: true };
  const visitor = await visit(service, options);
  await visitor.page.setExtraHTTPHeaders({ [PERSON_HEADER]: JSON.stringify(person) });
  return visitor;
}

const signIn = ({ page }: Visit): Promise<void> =>
  page.getByRole("link", { name: "Sign in with single sign-on" }).click();

describe("DASH-32: single sign-on, in a real browser", OPTIONS, () => {
  it("DASH-32, AUTH-26: leads to the page that was asked for, in a session that no script can read", async () => {
    const { email } = await register(service);
    const visitor = await visitAs(email);
    const { page } = visitor;
    await visitor.open("/dashboard/team?mode=test");
    await heading(visitor, "Sign in").waitFor();
    await visitor.assertAccessible();
    await signIn(visitor);
    await heading(visitor, "Team").waitFor();
    assert.equal(page.url(), `${service.url}/dashboard/team?mode=test`);
    const ours = (await visitor.cookies()).filter(({ name }) => name.startsWith("payinference"));
    assert.deepEqual(
      ours.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite]),
      [["payinference_session", true, "Strict"]],
    );
    await page.reload();
    await heading(visitor, "Team").waitFor();
    visitor.assertClean([ELSEWHERE]);
  });

  for (const scheme of ["light", "dark"] as const) {
    it(`DASH-32, AUTH-31: says in words why nobody is let in, in the ${scheme} scheme at 390 px`, async () => {
      const visitor = await visitAs(newEmail(), { scheme, width: 390, height: 800 });
      const { page } = visitor;
      await visitor.open("/dashboard/sign-in");
      await signIn(visitor);
      await page.getByRole("alert").getByText("Nobody here has your e-mail address").waitFor();
      await visitor.assertAccessible();
      await visitor.assertNoSidewaysScroll();
      await visitor.assertSteady();
      // A forged success gives no session and leads to no other page.
      await visitor.open("/dashboard/sign-in?sso=signed_in");
      await heading(visitor, "Sign in").waitFor();
      visitor.assertClean([ELSEWHERE, 401]);
    });
  }

  it("DASH-32, AUTH-32: asks for a one-time code", async () => {
    const owner = await register(service);
    const { recoveryCodes } = await turnOnCodes(service, owner);
    const visitor = await visitAs(owner.email);
    const { page } = visitor;
    await visitor.open("/dashboard/sign-in");
    await signIn(visitor);
    await heading(visitor, "One-time code").waitFor();
    await visitor.assertAccessible();
    await page.getByLabel("One-time code").fill("no code");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("The one-time code is not right").waitFor();
    await page.getByLabel("One-time code").fill(recoveryCodes[0] ?? "");
    await page.getByRole("button", { name: "Sign in" }).click();
    await heading(visitor, "Overview").waitFor();
    visitor.assertClean([ELSEWHERE, 401]);
  });
});
