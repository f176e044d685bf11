import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { eventually, startTestService, type RunningService } from "../support/service.js";

interface Printed {
  url: string;
  key: string;
  email: string;
  password: string;
  request: { url: string; headers: Record<string, string>; body: string };
}

function match(text: string, pattern: RegExp): [string, string] {
  const found = pattern.exec(text);
  assert.ok(found !== null, `${pattern} in:\n${text}`);
  return [found[1] ?? "", found[2] ?? ""];
}

/** The command as a shell would read it: words, single-quoted texts, a backslash before a line's end. */
function shellWords(command: string): string[] {
  const words = command.replaceAll("\\\n", " ").match(/'[^']*'|[^\s'\\]+/g) ?? [];
  assert.equal(
    words.join(""),
    command.replaceAll("\\\n", " ").replaceAll(/\s+(?=(?:[^']*'[^']*')*[^']*$)/g, ""),
  );
  return words.map((word) => word.replaceAll("'", ""));
}

function readPrinted(text: string): Printed {
  const [url] = match(text, /is ready at (http:\/\/\S+)/);
  const [key] = match(text, /API key +(\S+)/);
  const [email, password] = match(text, /login +(\S+) \/ (\S+)/);
  const [command] = match(text, /^(curl [\s\S]*?[^\\])\n\s*\n/m);
  const [curl, ...words] = shellWords(command);
  assert.equal(curl, "curl");
  const request: Printed["request"] = { url: "", headers: {}, body: "" };
  while (words.length > 0) {
    const word = words.shift() as string;
    if (word === "-s") continue;
    if (word === "-d") request.body = words.shift() ?? "";
    else if (word === "-H") {
      const [name, value] = match(words.shift() ?? "", /^([^:]+): (.+)$/);
      request.headers[name] = value;
    } else {
      assert.match(word, /^http:/, `an option of curl this test does not know: ${word}`);
      request.url = word;
    }
  }
  return { url, key, email, password, request };
}

/** The curl's last line. */
const DEMO_END = /'\n\n/;
const WAITED = "waits for PostgreSQL";
const STARTS_MAX = 3;

/** What the last start printed, up to `end`. One that PostgreSQL let wait says nothing of the demo: it is made again. */
async function lastPrinted(service: RunningService, end: RegExp): Promise<string> {
  for (let starts = 1; ; starts++) {
    // /ready may answer before the process has printed.
    const text = await eventually(async () => {
      const printed = service.printed().at(-1) ?? "";
      assert.ok(printed.includes(WAITED) || end.test(printed), printed);
      return printed;
    });
    if (!text.includes(WAITED) || starts === STARTS_MAX) return text;
    await service.stop();
    await service.start();
  }
}

describe("contract §9: DEMO, what a start prints", () => {
  it("the first and every later one: key, login, URL and a curl that works", async () => {
    const service = await startTestService();
    const first = readPrinted(await lastPrinted(service, DEMO_END));
    assert.equal(first.url, service.url);
    assert.equal(first.key, service.key);
    assert.match(first.email, /^[^@]+@[^@]+$/);
    assert.ok(first.password.length >= 12);
    await assertWorks(first);
    await service.killAndRestart();
    const second = readPrinted(await lastPrinted(service, DEMO_END));
    assert.deepEqual(second, first);
    await assertWorks(second);
    assert.equal(await service.stop(), 0);

    async function assertWorks({ request, key }: Printed): Promise<void> {
      assert.equal(request.headers["x-api-key"], key);
      const response = await fetch(request.url, {
        method: "POST",
        headers: request.headers,
        body: request.body,
      });
      const decision = (await response.json()) as Record<string, unknown>;
      assert.equal(response.status, 200, JSON.stringify(decision));
      assert.deepEqual([decision["action"], decision["mode"]], ["route", "test"]);
    }
  });

  it("nothing of it without DEMO", async () => {
    const service = await startTestService({ DEMO: "0" });
    const printed = await lastPrinted(service, /is ready at http:\S+/);
    assert.match(printed, /is ready at http:\S+/);
    assert.doesNotMatch(printed, /pi_test_|curl|login/);
    assert.equal(await service.stop(), 0);
  });
});
