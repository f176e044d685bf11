import assert from "node:assert/strict";
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { readRoot } from "../support/machine/deploy-files.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const DECISIONS = "docs/decisions";
const ARCHITECTURE_BYTES_MAX = 8192;
const RECORD_LINES_MAX = 60;
const SENTENCE_WORDS_MAX = 25;
const SECTIONS = ["Context", "Decision", "Consequences", "Measured", "Alternatives"];
const STATUS = /^(?:accepted|superseded by \[\d{4}\]\(\d{4}-[a-z0-9-]+\.md\))$/;

const filesUnder = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));

const pages = [
  "ARCHITECTURE.md",
  "BENCHMARKS.md",
  "CONTRIBUTING.md",
  "README.md",
  "RELIABILITY.md",
  "THREATS.md",
  ...filesUnder("docs", /\.md$/),
];
const recordNames = readdirSync(join(ROOT, DECISIONS))
  .filter((name) => name !== "README.md")
  .toSorted();

/** The text without its code. Code may look like a link or a sentence. */
const withoutCode = (markdown: string): string =>
  markdown.replaceAll(/^```[^]*?^```$/gm, "").replaceAll(/`[^`\n]*`/g, "code");

/** The names with which GitHub links to a page's headings. */
function anchorsOf(markdown: string): Set<string> {
  return new Set(
    Array.from(markdown.replaceAll(/^```[^]*?^```$/gm, "").matchAll(/^#+ (.+)$/gm), ([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** A page's links without a target. */
function brokenLinks(page: string, markdown: string): string[] {
  return Array.from(withoutCode(markdown).matchAll(/\]\(([^)\s]+)\)/g), ([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? page : join(dirname(page), path);
      if (!existsSync(join(ROOT, file))) return true;
      if (anchor === undefined) return false;
      return statSync(join(ROOT, file)).isDirectory() || !anchorsOf(readRoot(file)).has(anchor);
    });
}

/** Sentences of running text and of list items. Tables and headings have no sentences. */
function longSentences(markdown: string): string[] {
  return withoutCode(markdown)
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .split(/\n\s*\n|\n(?=[-|#]|\d+\. )/)
    .filter((block) => !/^[|#]/.test(block.trim()))
    .flatMap((block) => block.split(/(?<=[.!?])\s+/))
    .filter(
      (sentence) => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length > SENTENCE_WORDS_MAX,
    );
}

interface Item {
  name: string;
  meaning: string;
}

const glossaryItems = (markdown: string): Item[] =>
  Array.from(markdown.matchAll(/^- \*\*([^*]+)\*\*: (.+)$/gm), ([, name = "", meaning = ""]) => ({
    name,
    meaning,
  }));

describe("ARCHITECTURE.md", () => {
  it(`is read in ten minutes: at most ${ARCHITECTURE_BYTES_MAX} bytes`, () => {
    assert.ok(statSync(join(ROOT, "ARCHITECTURE.md")).size <= ARCHITECTURE_BYTES_MAX);
  });

  it("names only files that exist", () => {
    const named = Array.from(
      readRoot("ARCHITECTURE.md").matchAll(/`([a-z-]+\/[a-z/-]+\.ts)`/g),
      ([, file = ""]) => file,
    );
    assert.ok(named.length >= 10, `${named.length} files`);
    for (const file of named) {
      assert.ok(existsSync(join(ROOT, file)) || existsSync(join(ROOT, "src", file)), file);
    }
  });

  it("names every folder of src", () => {
    const text = readRoot("ARCHITECTURE.md");
    for (const entry of readdirSync(join(ROOT, "src"), { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      assert.ok(text.includes(`\`${entry.name}\``) || text.includes(`\`src/${entry.name}\``), entry.name);
    }
  });
});

describe("docs/decisions", () => {
  it("numbers its records from 0001 without a gap", () => {
    assert.ok(recordNames.length >= 45, `${recordNames.length} records`);
    recordNames.forEach((name, at) => {
      assert.match(name, /^\d{4}-[a-z0-9]+(?:-[a-z0-9]+)*\.md$/);
      assert.equal(Number(name.slice(0, 4)), at + 1, name);
    });
  });

  for (const name of recordNames) {
    it(`${name} has title, date, status and every section, on one page`, () => {
      const text = readRoot(join(DECISIONS, name));
      const [, number, date = "", status = ""] =
        /^# (\d{4})\. \S.+\n\n- Date: (\S+)\n- Status: (.+)\n/.exec(text) ?? [];
      assert.equal(number, name.slice(0, 4));
      assert.match(date, /^\d{4}-\d\d-\d\d$/);
      assert.match(status, STATUS);
      const sections = Array.from(text.matchAll(/^## (.+)\n\n(\S?)/gm), ([, title, first]) => [title, first]);
      assert.deepEqual(
        sections.map(([title]) => title),
        SECTIONS,
      );
      for (const [title = "", first = ""] of sections) assert.match(first, /[^#]/, `${title} is empty`);
      assert.ok(text.split("\n").length <= RECORD_LINES_MAX);
    });
  }

  it("leads to each record once from its index, by the record's title", () => {
    const listed = Array.from(
      readRoot(join(DECISIONS, "README.md")).matchAll(/^- \[(\d{4})\]\(([^)]+)\) (.+)$/gm),
      ([, number = "", file = "", title = ""]) => ({ number, file, title }),
    );
    assert.deepEqual(
      listed.toSorted((a, b) => a.number.localeCompare(b.number)),
      recordNames.map((file) => {
        const [, number = "", title = ""] = /^# (\d{4})\. (.+)$/m.exec(readRoot(join(DECISIONS, file))) ?? [];
        return { number, file, title };
      }),
    );
  });

  it("is named by comments only where the record exists", () => {
    const sources = [
      "Dockerfile",
      ...["src", "bench", "sim", "test", "workers", "migrations", "deploy"].flatMap((folder) =>
        filesUnder(folder, /\.(?:ts|tsx|sql|ya?ml|cfg)$/),
      ),
    ];
    for (const source of sources) {
      for (const [file] of readRoot(source).matchAll(/docs\/decisions\/\d{4}[\w-]*\.md/g)) {
        assert.ok(existsSync(join(ROOT, file)), `${source}: ${file}`);
      }
    }
  });
});

describe("links between documents", () => {
  for (const page of pages) {
    it(`in ${page} lead somewhere`, () => assert.deepEqual(brokenLinks(page, readRoot(page)), []));
  }

  it("are found broken where the file or the heading is missing", () => {
    const text = "[a](README.md) [b](gone.md) [c](README.md#gone) [d](https://example.com) `[e](gone.md)`";
    assert.deepEqual(brokenLinks("ARCHITECTURE.md", text), ["gone.md", "README.md#gone"]);
  });
});

describe("plain English", () => {
  for (const page of [
    "ARCHITECTURE.md",
    "docs/glossary.md",
    ...recordNames.map((name) => join(DECISIONS, name)),
  ]) {
    it(`${page} has no sentence of over ${SENTENCE_WORDS_MAX} words`, () =>
      assert.deepEqual(longSentences(readRoot(page)), []));
  }

  it("counts the words of running text and lists, not of tables and code", () => {
    const long = `${"word ".repeat(SENTENCE_WORDS_MAX)}end.`;
    assert.deepEqual(longSentences(`Short.\n\n- ${long}\n\n| ${long} |\n\n\`\`\`\n${long}\n\`\`\`\n`), [
      `- ${long}`,
    ]);
  });
});

describe("docs/glossary.md", () => {
  const text = readRoot("docs/glossary.md");
  const items = glossaryItems(text);

  it("defines each term once, in the order of the alphabet", () => {
    assert.ok(items.length >= 50, `${items.length} terms`);
    const names = items.map(({ name }) => name);
    assert.deepEqual(
      names,
      [...new Set(names)].toSorted((a, b) => a.localeCompare(b, "en")),
    );
    for (const { name, meaning } of items) assert.match(meaning, /^[A-Z].*\.$/, name);
  });

  it("gives each word with two meanings one of them", () => {
    const words = Array.from(text.matchAll(/^\| ([a-z]+) \|/gm), ([, word = ""]) => word);
    assert.ok(words.length >= 10, `${words.length} words`);
    assert.deepEqual(words, [...new Set(words)].toSorted());
    // The list must not repeat a decision of the table.
    for (const word of words) assert.ok(!items.some(({ name }) => name === word), word);
  });
});
