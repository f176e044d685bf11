import assert from "node:assert/strict";
import { afterEach, before, describe, it } from "node:test";
import { closePages, SKIP_WITHOUT_BROWSER, visit, type Visit } from "../support/people/browser.js";
import { decideOrder, reportOutcome, type Decided } from "../support/load/explained-decisions.js";
import { signIn } from "../support/people/feedback.js";
import { send, startTestService, type RunningService } from "../support/service/service.js";

const OPTIONS = { skip: SKIP_WITHOUT_BROWSER };
const HALF_HOURS = "Asia/Kolkata";

let service: RunningService;
let token: string;
let decided: Decided;
let madeAt: string;
afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER !== false) return;
  service = await startTestService({ RATE_LIMIT_PER_MINUTE: "0" });
  token = (await signIn(service.pool, service.workspaceId, "owner")).token;
  decided = await decideOrder(service, "order_zone", {});
  await reportOutcome(service, decided, {});
  const answer = await send(service, "GET", `/v1/decisions/${decided.decision_id}`);
  madeAt = (JSON.parse(answer.text) as { created_at: string }).created_at;
});

const open = async (path: string, zone: string, width = 1280): Promise<Visit> => {
  const visitor = await visit(service, { token, zone, width });
  await visitor.open(`/dashboard${path}${path.includes("?") ? "&" : "?"}mode=test`);
  return visitor;
};

/** Formats an instant by Intl alone, so that the expectation does not use the dashboard's code. */
function shown(iso: string, timeZone: string): string {
  return new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "medium", timeZone }).format(
    new Date(iso),
  );
}

/** The title of the first time that the page shows for `iso`. */
const titleOf = ({ page }: Visit, iso: string): Promise<string | null> =>
  page.locator(`main time[datetime="${iso}"]`).first().getAttribute("title");

describe("one time zone, in a real browser", OPTIONS, () => {
  for (const width of [1280, 360]) {
    it(`DASH-28: the log and a decision show the browser's zone and, once it is chosen, UTC, at ${width} px`, async () => {
      const visitor = await open("/decisions", HALF_HOURS, width);
      const { page } = visitor;
      await page.getByText(`Times in ${HALF_HOURS}`, { exact: true }).waitFor();
      await page.getByRole("link", { name: "order_zone", exact: true }).waitFor();
      const local = await titleOf(visitor, madeAt);
      assert.match(local ?? "", /\+05:30 Asia\/Kolkata$/);
      assert.equal(Date.parse(local?.split(" ")[0] ?? ""), Date.parse(madeAt));
      await visitor.assertAccessible();
      await visitor.assertNoSidewaysScroll();
      await visitor.assertSteady();

      if (width < 900) await page.getByRole("button", { name: "Menu" }).click();
      await page.getByLabel("Time zone").selectOption("UTC");
      await page.getByText("Times in UTC", { exact: true }).waitFor();
      assert.equal(await titleOf(visitor, madeAt), `${madeAt} UTC`);
      await visitor.assertAccessible();
      // The choice applies on every page and survives a reload.
      await visitor.open(`/dashboard/decisions/${decided.decision_id}?mode=test`);
      await page.getByText("Times in UTC", { exact: true }).waitFor();
      await page.locator(`main time[datetime="${madeAt}"]`).first().waitFor();
      assert.equal(await titleOf(visitor, madeAt), `${madeAt} UTC`);
      await visitor.assertNoSidewaysScroll();
      visitor.assertClean();
    });
  }

  it("DASH-28: another tab follows the choice, and typed text stays", async () => {
    const visitor = await open("/pricing", HALF_HOURS);
    const { page } = visitor;
    await page.getByLabel("Contract name").fill("Half typed");
    const other = await visitor.newTab();
    await other.goto("/dashboard/account");
    await other.getByLabel("Time zone").selectOption("UTC");
    await page.getByText("Times in UTC", { exact: true }).waitFor();
    assert.equal(await page.getByLabel("Contract name").inputValue(), "Half typed");
    visitor.assertClean();
  });

  it("DASH-29, DASH-47: analytics shows hours and days of the zone, and says where no day begins at midnight", async () => {
    const visitor = await open("/analytics?range=24h", HALF_HOURS);
    const { page } = visitor;
    const steps = page.getByRole("region", { name: "Table: By hour" });
    // In this zone, hours of UTC begin at half past.
    await steps
      .getByText(/, \d\d:30$/)
      .first()
      .waitFor();
    await page.getByLabel("Range").selectOption("7d");
    const volume = page.getByRole("region", { name: /^Volume and approval/ });
    await volume.getByText(/^days of .+, from 00:30 on$/).waitFor();
    const day = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", timeZone: HALF_HOURS });
    // A decision is counted in its hour of UTC. That hour belongs to the local day in which the hour begins.
    const hourStart = new Date(madeAt).setUTCMinutes(0, 0, 0);
    await page
      .getByRole("region", { name: "Table: By day" })
      .getByText(day.format(hourStart), { exact: true })
      .waitFor();
    await page.getByLabel("Time zone").selectOption("UTC");
    await volume.getByText("days of UTC", { exact: true }).waitFor();
    await visitor.assertAccessible();
    visitor.assertClean();
  });

  it("DASH-29: the fields of a contract are read in the zone, and say so over a change of clocks", async () => {
    const visitor = await open("/pricing", "Europe/London");
    const { page } = visitor;
    await page.getByLabel("Effective from").fill("2028-10-28T23:00");
    await page.getByText("Europe/London (+01:00)", { exact: true }).waitFor();
    await page.getByLabel("Effective to").fill("2028-10-30T12:00");
    await page.getByText("Europe/London; empty for no end", { exact: true }).waitFor();
    await page.getByLabel("Contract name").fill("Over the change");
    await page
      .getByLabel("Prices", { exact: true })
      .fill("provider,payment_method,currency,percentage_bps,fixed_minor\nprovider_1,card,GBP,150,20");
    const sent = page.waitForRequest((request) => request.method() === "POST");
    await page.getByRole("button", { name: "Store the contract" }).click();
    const body = (await sent).postDataJSON() as { effective_from: string; effective_to: string };
    assert.equal(body.effective_from, "2028-10-28T22:00:00.000Z");
    assert.equal(body.effective_to, "2028-10-30T12:00:00.000Z");
    const stored = page.getByRole("region", { name: "Stored contract" });
    await stored.getByText(shown(body.effective_from, "Europe/London")).waitFor();
    visitor.assertClean();
  });

  it("DASH-29: a key's last day ends with the zone's day", async () => {
    const visitor = await open("/api-keys", "America/New_York");
    const { page } = visitor;
    await page.getByRole("button", { name: "Create a test key" }).first().click();
    await page.getByLabel("Name").fill("Until the change");
    await page.getByLabel("Expires").selectOption("date");
    await page.getByText("until the end of that day, in America/New_York.").waitFor();
    await page.getByLabel("Last day").fill("2028-11-05");
    const sent = page.waitForRequest((request) => request.method() === "POST");
    await page.getByRole("button", { name: "Create the key" }).click();
    // The clocks go back on that day.
    assert.equal(
      ((await sent).postDataJSON() as { expires_at: string }).expires_at,
      "2028-11-06T04:59:59.999Z",
    );
    visitor.assertClean();
  });
});
