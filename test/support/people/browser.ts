import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { chromium, type Browser, type BrowserContext, type Cookie, type Page } from "playwright-core";
import { borrowContext } from "./browser-contexts.js";
import { SESSION_COOKIE } from "../../../src/path/front/session-cookie.js";
import { closeLater, keepOpen } from "../closing.js";
import { untilPasses } from "../waiting/eventually.js";
import type { RunningService } from "../service/service.js";

/** Opens the real service in a real browser. */

/** The first path is Chromium without a display, which takes a third of the CPU. */
const CHROMIUMS = ["/usr/lib/chromium/chromium-headless-shell", "/usr/bin/chromium"];
export const CHROMIUM =
  process.env["CHROMIUM"] ?? CHROMIUMS.find((path) => existsSync(path)) ?? "/usr/bin/chromium";
/** The `skip` option of `describe`: false, or why these tests cannot run here. */
export const SKIP_WITHOUT_BROWSER: string | false = existsSync(CHROMIUM)
  ? false
  : `there is no ${CHROMIUM} (apt-get install chromium)`;

/** A host name of this machine that is not a loopback name. Only the browser resolves it. */
export const OTHER_NAME = "shop.test";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // All pages share one renderer, and so what it has compiled: a quarter less CPU.
  "--renderer-process-limit=1",
  "--disable-site-isolation-trials",
  `--host-resolver-rules=MAP ${OTHER_NAME} 127.0.0.1`,
];

const AXE_SOURCE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
/** Checks WCAG 2.2 AA and the good practices that axe knows. No page has frames. */
const AXE_RUN = `axe.run(document, { resultTypes: ["violations"], iframes: false }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ": " + nodes.map(({ target, failureSummary }) => target + " " + failureSummary).join(" | ")))`;

/**
 * Runs before the page's own scripts. The page's security policy does not block it, because it comes over the debugging
 * protocol.
 */
const WATCH_LAYOUT = `window.layoutShifts = [];
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries())
    window.layoutShifts.push([value, sources.map(({ node }) => node?.className ?? node?.parentElement?.className)]);
}).observe({ type: "layout-shift", buffered: true });`;

/** All files of a process share one browser. */
let launched: Promise<Browser> | undefined;
let visits: Visit[] = [];

/** Each file calls this in `afterEach`, because open pages keep sending requests to the service. */
export async function closePages(): Promise<void> {
  const open = visits;
  visits = [];
  await Promise.all(open.map((visit) => visit.close()));
}

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  closeLater(() => browser.close());
  return browser;
}

export interface Visit {
  /** Opens pages by their path, without the service's origin. */
  page: Page;
  /**
   * The methods of the visit are enough for most tests. What a test asks of the context may outlast its pages, so no
   * later visit gets a context that was looked at.
   */
  readonly context: BrowserContext;
  /** Opens another tab of the same window. */
  newTab(): Promise<Page>;
  cookies(): Promise<Cookie[]>;
  /** Lets someone else's session take over in this browser. */
  setSession(token: string): Promise<void>;
  allowClipboard(): Promise<void>;
  close(): Promise<void>;
  open(path: string): Promise<void>;
  /**
   * Fails when the page logged an error, threw, broke its content security policy, or asked another origin. `expected`
   * lists the refusals that the test provoked, by status, and the outages, by the browser's name for them. A 503 is
   * always allowed, because a busy machine may answer it, and the page then repeats the request.
   */
  assertClean(expected?: readonly (number | string)[]): void;
  /** Waits until the expression is true in the page. Playwright's own wait breaks the page's security policy. */
  untilTrue(expression: string): Promise<void>;
  /** Fails on any axe violation in the page as it is now. */
  assertAccessible(): Promise<void>;
  /** Fails when the page is wider than the window. */
  assertNoSidewaysScroll(): Promise<void>;
  /** Fails when something on the page moved without an action of the user. */
  assertSteady(): Promise<void>;
}

export interface VisitOptions {
  /** The token of a session that has already begun. */
  token?: string;
  scheme?: "light" | "dark";
  /** The browser's time zone, by its IANA name. */
  zone?: string;
  width?: number;
  height?: number;
  /** Whether the browser has never been on the dashboard, so that it has none of its files. Default: false. */
  isFirst?: boolean;
}

/** Opens a page in a browser without cookies and storage, but for those of the session. */
export async function visit(service: RunningService, options: VisitOptions = {}): Promise<Visit> {
  const { token, scheme = "light", zone = "UTC", width = 1440, height = 900, isFirst = false } = options;
  launched ??= keepOpen(launch);
  const ofContext = { baseURL: service.url, locale: "en-US", timezoneId: zone };
  const borrowed = await borrowContext(await launched, ofContext, WATCH_LAYOUT, isFirst);
  const { context } = borrowed;
  const setSession = async (value: string): Promise<void> => {
    const cookie = { name: SESSION_COOKIE, value, url: service.url, httpOnly: true };
    await context.addCookies([{ ...cookie, sameSite: "Strict" }]);
  };
  if (token !== undefined) {
    await setSession(token);
    await borrowed.store("payinference.signed-in", "1");
  }
  const newTab = async (): Promise<Page> => {
    const tab = await context.newPage();
    await Promise.all([tab.setViewportSize({ width, height }), tab.emulateMedia({ colorScheme: scheme })]);
    return tab;
  };
  const page = await newTab();
  const problems = watchProblems(page, service.url);
  let looked = false;
  let closing: Promise<void> | undefined;

  const opened: Visit = {
    page,
    get context() {
      looked = true;
      return context;
    },
    newTab,
    cookies: () => context.cookies(),
    setSession,
    allowClipboard: () => context.grantPermissions(["clipboard-read", "clipboard-write"]),
    close: () => (closing ??= borrowed.giveBack(!looked)),
    async open(path) {
      await page.goto(path);
    },
    assertClean(expected = []) {
      const texts = [503, ...expected].map((problem) =>
        typeof problem === "number" ? `the server responded with a status of ${problem} ` : problem,
      );
      const unexpected = problems.filter((problem) => !texts.some((text) => problem.includes(text)));
      assert.deepEqual(unexpected, []);
    },
    untilTrue(expression) {
      return untilPasses(async () => assert.equal(await page.evaluate(expression), true, expression));
    },
    async assertAccessible() {
      // The source is evaluated once for each document, because that costs as much as a check.
      if (await page.evaluate("!window.axe")) await page.evaluate(await readFile(AXE_SOURCE, "utf8"));
      assert.deepEqual(await page.evaluate(AXE_RUN), []);
    },
    async assertNoSidewaysScroll() {
      const [content, window] = (await page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.clientWidth]",
      )) as [number, number];
      assert.ok(content <= window, `${content} px in a window of ${window} px`);
    },
    async assertSteady() {
      const shifts = (await page.evaluate("window.layoutShifts")) as [number, string[]][];
      const sum = shifts.reduce((sum, [value]) => sum + value, 0);
      assert.ok(sum < 0.01, `layout shift ${sum}: ${JSON.stringify(shifts)}`);
    },
  };
  visits.push(opened);
  return opened;
}

/** The returned list grows as problems of the page appear. */
function watchProblems(page: Page, origin: string): readonly string[] {
  const problems: string[] = [];
  page.on("console", (message) => {
    // The browser reports a violation of the content security policy as a console error.
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith("data:")) problems.push(`asked ${url}`);
  });
  return problems;
}
