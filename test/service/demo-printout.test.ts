import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { eventually, startTestService } from "../support/service.js";

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

describe("contract §9: DEMO, what a start prints", () => {
  it("the first and every later one: key, login, URL and a curl that works", async () => {
    const service = await startTestService();
    const first = await printedBy(0);
    assert.equal(first.url, service.url);
    assert.equal(first.key, service.key);
    assert.match(first.email, /^[^@]+@[^@]+$/);
    assert.ok(first.password.length >= 12);
    await assertWorks(first);
    await service.killAndRestart();
    const second = await printedBy(1);
    assert.deepEqual(second, first);
    await assertWorks(second);
    assert.equal(await service.stop(), 0);

    async function printedBy(start: number): Promise<Printed> {
      // /ready may answer before the process has printed.
      await eventually(async () => assert.match(service.printed()[start] ?? "", /'\n\n/));
      return readPrinted(service.printed()[start] ?? "");
    }
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
    await eventually(async () => assert.match(service.printed()[0] ?? "", /is ready at http:\S+/));
    assert.doesNotMatch(service.printed()[0] ?? "", /pi_test_|curl|login/);
    assert.equal(await service.stop(), 0);
  });
});
