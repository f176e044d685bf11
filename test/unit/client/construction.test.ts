import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { inspect } from "node:util";
import { PayInferenceClient, type ClientOptions } from "payinference/client";

const KEY = "pi_test_0123456789abcdef";
const OPTIONS: ClientOptions = { baseUrl: "http://127.0.0.1:1", apiKey: KEY };
const create = (changes: Partial<ClientOptions>): PayInferenceClient =>
  new PayInferenceClient({ ...OPTIONS, ...changes });

describe("Client guidance: a hard timeout of 50 to 250 ms", () => {
  for (const decisionTimeoutMs of [50, 150, 250]) {
    it(`takes ${decisionTimeoutMs} ms`, () => {
      assert.doesNotThrow(() => create({ decisionTimeoutMs }));
    });
  }
  for (const decisionTimeoutMs of [49, 251, 0, -1, 100.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    it(`CLI-1: refuses ${decisionTimeoutMs} ms with a RangeError`, () => {
      assert.throws(() => create({ decisionTimeoutMs }), RangeError);
    });
  }
});

describe("client: options", () => {
  const wrong: [what: string, changes: Partial<ClientOptions>, error: new () => Error][] = [
    ["a request timeout of 99 ms", { requestTimeoutMs: 99 }, RangeError],
    ["a request timeout over two minutes", { requestTimeoutMs: 120_001 }, RangeError],
    ["minus one retries", { retries: -1 }, RangeError],
    ["eleven retries", { retries: 11 }, RangeError],
    ["a key without its prefix", { apiKey: "0123456789abcdef" }, TypeError],
    ["a key that no header can carry", { apiKey: "pi_test_a\r\nx: y" }, TypeError],
    ["a URL that is none", { baseUrl: "127.0.0.1:8080" }, TypeError],
    ["another protocol", { baseUrl: "ftp://127.0.0.1" }, TypeError],
    ["credentials in the URL", { baseUrl: "http://user:pass@127.0.0.1" }, TypeError],
  ];
  for (const [what, changes, error] of wrong) {
    it(`refuses ${what}`, () => {
      assert.throws(() => create(changes), error);
    });
  }

  it("never shows its key: not in an error, a log line or a copy", () => {
    const client = create({});
    for (const text of [inspect(client, { depth: 9, showHidden: true }), JSON.stringify(client)]) {
      assert.ok(!text.includes("0123456789abcdef"), text);
    }
    assert.throws(
      () => create({ apiKey: "sk_0123456789abcdef" }),
      (error: Error) => !error.message.includes("0123456789abcdef"),
    );
  });
});

describe("Authentication 9: the browser must never call the service", () => {
  for (const name of ["document", "WorkerGlobalScope"]) {
    it(`AUTH-5: the client refuses to run where there is a ${name}`, () => {
      Object.defineProperty(globalThis, name, { value: {}, configurable: true });
      try {
        assert.throws(() => create({}), /runs on a server/);
      } finally {
        Reflect.deleteProperty(globalThis, name);
      }
      assert.doesNotThrow(() => create({}));
    });
  }

  it("the package has no file for a bundler's browser build", () => {
    const text = readFileSync(new URL("../../../../package.json", import.meta.url), "utf8");
    const entry = (JSON.parse(text) as { exports: Record<string, Record<string, unknown>> }).exports;
    const conditions = entry["./client"] ?? {};
    assert.equal(conditions["browser"], null);
    // The first condition that matches wins.
    assert.ok(Object.keys(conditions).indexOf("browser") < Object.keys(conditions).indexOf("default"));
  });
});

describe("client: needs no other code", () => {
  it("imports nothing at run time but Node's own modules and its own files", () => {
    const folder = new URL("../../../src/client/", import.meta.url);
    const files = readdirSync(folder).filter((file) => file.endsWith(".js"));
    assert.ok(files.includes("client.js"));
    for (const file of files) {
      const source = readFileSync(new URL(file, folder), "utf8");
      for (const [, path = ""] of source.matchAll(/(?:from|import\() ?"([^"]+)"/g)) {
        assert.match(path, /^(?:node:[a-z/]+|\.\/[a-z-]+\.js)$/, file);
      }
    }
  });
});
