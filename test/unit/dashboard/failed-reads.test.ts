import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { QueryObserver } from "@tanstack/react-query";
import { problemText, ProblemError, readProblemText } from "../../../src/dashboard/api/transport/problem.js";
import { ACCOUNT, createQueryClient } from "../../../src/dashboard/api/transport/query-client.js";
import { createStalenessStore } from "../../../src/dashboard/api/transport/staleness.js";

const UNREACHABLE = new ProblemError({ kind: "unreachable", message: "No answer" });
/** The page does not retry this error at once, so the tests need not wait. */
const LATE = new ProblemError({ kind: "timeout", message: "No answer in time" });
const AWAY = new ProblemError({ kind: "server_error", status: 503, requestId: null, message: "Not now" });

const nothing = (): void => undefined;

describe("a page's text for a failed read", () => {
  it("a read without an answer is asked again by itself, and says so", () => {
    assert.equal(readProblemText(UNREACHABLE), "The service cannot be reached. It is asked again by itself.");
  });

  it("an action without an answer is not sent again, and its known state and the next step are shown", () => {
    for (const error of [UNREACHABLE, LATE]) {
      assert.equal(
        problemText(error),
        "The service cannot be reached. As far as this page knows nothing was done: try again.",
      );
    }
  });

  it("the service's own message is shown as it is", () => {
    assert.equal(readProblemText(AWAY), "Not now");
    assert.equal(problemText(AWAY), "Not now");
  });

  it("no action waits for the network to be done when nobody looks", () => {
    assert.equal(createQueryClient(nothing, nothing).getDefaultOptions().mutations?.networkMode, "always");
  });
});

describe("a refused request", () => {
  const FORBIDDEN = new ProblemError({ kind: "http_error", status: 403, requestId: null, message: "No" });

  it("ACC-8, DASH-33: asks for the account again, because its rights have changed", async () => {
    let asked = 0;
    const client = createQueryClient(nothing, () => asked++);
    const refused = (queryKey: readonly string[]) =>
      client.fetchQuery({ queryKey, queryFn: () => Promise.reject(FORBIDDEN) }).catch(nothing);
    await refused(["api-keys"]);
    assert.equal(asked, 1);
    await refused(ACCOUNT);
    assert.equal(asked, 1, "the account itself is not asked for again");
  });
});

/** Reads of one page. Each answers or fails as the test says. */
function pageOf(names: readonly string[]) {
  const client = createQueryClient(nothing, nothing);
  const failures = new Map<string, Error>();
  const leave = names.map((name) =>
    new QueryObserver(client, {
      queryKey: [name],
      queryFn: async () => {
        const failure = failures.get(name);
        if (failure !== undefined) throw failure;
        return name;
      },
    }).subscribe(() => undefined),
  );
  return {
    store: createStalenessStore(client.getQueryCache()),
    ask: () => client.refetchQueries(),
    fail: (name: string, error: Error) => failures.set(name, error),
    answer: () => failures.clear(),
    answeredAtMs: (name: string) => client.getQueryState([name])?.dataUpdatedAt,
    leave: () => leave.forEach((unsubscribe) => unsubscribe()),
  };
}

describe("an earlier answer is not shown as live", () => {
  it("is stale from the first answer that failed until one comes", async () => {
    const page = pageOf(["health", "alerts"]);
    await page.ask();
    assert.equal(page.store.get(), null);
    page.fail("health", LATE);
    await page.ask();
    const stale = page.store.get();
    assert.deepEqual(stale, { isOutage: true, asOfMs: page.answeredAtMs("health") });
    await page.ask();
    assert.equal(page.store.get(), stale, "the same, and so told once");
    page.answer();
    await page.ask();
    assert.equal(page.store.get(), null);
    page.leave();
  });

  it("distinguishes a service that refuses a part from one that is gone", async () => {
    const page = pageOf(["health", "alerts"]);
    await page.ask();
    page.fail("alerts", AWAY);
    await page.ask();
    assert.equal(page.store.get()?.isOutage, false);
    page.leave();
  });

  it("counts neither reads without any answer, which show their error, nor reads that have left the page", async () => {
    const page = pageOf(["health"]);
    page.fail("health", LATE);
    await page.ask();
    assert.equal(page.store.get(), null);
    page.answer();
    await page.ask();
    page.fail("health", LATE);
    await page.ask();
    assert.notEqual(page.store.get(), null);
    page.leave();
    assert.equal(page.store.get(), null);
  });
});
