import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";

const ROOT = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");

interface Threat {
  threat: string;
  held: string;
  tests: { path: string; titles: string[] }[];
}

const threats: Threat[] = read("THREATS.md")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| Threat |"))
  .map((line) => {
    const [threat = "", held = "", tests = ""] = line
      .slice(1, -1)
      .split(" | ")
      .map((cell) => cell.trim());
    return {
      threat,
      held,
      tests: Array.from(tests.matchAll(/`(test\/[^`]+)`/g), ([, reference = ""]) => {
        const [path = "", ...titles] = reference.split(" › ");
        return { path, titles };
      }),
    };
  });

describe("THREATS.md", () => {
  it("says of each threat how it is held and by which test", () => {
    assert.ok(threats.length >= 30, `${threats.length} threats`);
    for (const { threat, held, tests } of threats) {
      assert.ok(held.length > 10, threat);
      assert.ok(tests.length > 0, threat);
    }
    assert.equal(new Set(threats.map(({ threat }) => threat)).size, threats.length);
  });

  it("names only tests that exist", () => {
    for (const { threat, tests } of threats) {
      for (const { path, titles } of tests) {
        assert.ok(existsSync(new URL(path, ROOT)), `${threat}: ${path}`);
        const source = read(path);
        assert.ok(titles.length > 0, `${threat}: ${path}`);
        for (const title of titles) {
          const stands = ['"', "`"].some((quote) => source.includes(quote + title + quote));
          assert.ok(stands, `${threat}: ${path} has no "${title}"`);
        }
      }
    }
  });

  it("names every file of test/attacks", () => {
    const named = new Set(threats.flatMap(({ tests }) => tests.map(({ path }) => path)));
    for (const file of readdirSync(new URL("test/attacks/", ROOT)))
      assert.ok(named.has(`test/attacks/${file}`), file);
  });
});
