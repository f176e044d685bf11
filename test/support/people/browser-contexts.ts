import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

/**
 * Contexts of a browser, each with its own cookies and storage. A visit that is over leaves its context to a later one
 * of the same service and time zone, because a new context starts a renderer and compiles the page again: a quarter of
 * a visit's CPU. So everything else that a visit chooses is a matter of its pages.
 */

interface Kept {
  options: BrowserContextOptions;
  context: BrowserContext;
  /** A page without content that stays open. With its last page a context loses its renderer. */
  keeper: Page;
}

/** Services end, and their contexts are of no use then. */
const IDLE_MAX = 3;

/** The oldest comes first. */
const idle: Kept[] = [];

export interface Borrowed {
  context: BrowserContext;
  /** Writes into the storage of the service's origin, before any page of it is opened. */
  store(key: string, value: string): Promise<void>;
  /** `reusable` is false after whatever the pool does not undo: routes, clocks and scripts of the whole context. */
  giveBack(reusable: boolean): Promise<void>;
}

/**
 * Resolves to a context without cookies and without stored items. Its cache may hold the dashboard's files, unless
 * `isNew`. `options.baseURL` is the service. `script` runs in each page before the page's own scripts.
 */
export async function borrowContext(
  browser: Browser,
  options: BrowserContextOptions & { baseURL: string },
  script: string,
  isNew: boolean,
): Promise<Borrowed> {
  const wanted = JSON.stringify(options);
  const at = isNew ? -1 : idle.findIndex((kept) => JSON.stringify(kept.options) === wanted);
  const kept = at === -1 ? await open(browser, options, script) : (idle.splice(at, 1)[0] as Kept);
  return {
    context: kept.context,
    async store(key, value) {
      await kept.keeper.evaluate(`localStorage.setItem(${JSON.stringify(key)}, ${JSON.stringify(value)})`);
    },
    async giveBack(reusable) {
      if (!reusable) return kept.context.close();
      const pages = kept.context.pages().filter((page) => page !== kept.keeper);
      await Promise.all(pages.map((page) => page.close()));
      await Promise.all([
        kept.context.clearCookies(),
        kept.context.clearPermissions(),
        kept.keeper.evaluate("localStorage.clear()"),
      ]);
      idle.push(kept);
      if (idle.length > IDLE_MAX) await idle.shift()?.context.close();
    },
  };
}

async function open(
  browser: Browser,
  options: BrowserContextOptions & { baseURL: string },
  script: string,
): Promise<Kept> {
  const context = await browser.newContext(options);
  await context.addInitScript({ content: script });
  const keeper = await context.newPage();
  // Storage belongs to an origin, so the keeper is a page of the service's. The service itself is not asked.
  const url = new URL("/kept", options.baseURL).href;
  await keeper.route(url, (route) => route.fulfill({ contentType: "text/html", body: "" }));
  await keeper.goto(url);
  return { options, context, keeper };
}
