import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { citedIds } from "./cited-ids.js";
import { CONTRACT, readPages, type ContractPage } from "./clauses.js";
import { commentsOf, testTitles, type TestTitle } from "./test-titles.js";

/**
 * The places where ids are cited: the titles of tests, some of which test/support makes, and the comments of all
 * modules.
 */
const MODULES = /\.tsx?$/;
const MODULE_FOLDERS = ["src", "workers", "bench", "sim", "deploy", "examples", "packages", "test"];
/** In these files every line may cite ids. */
const TEXTS = /\.(?:md|ya?ml|sql)$/;
const TEXT_FOLDERS = ["docs", "deploy", "migrations"];

export interface Checklist {
  readonly markdown: string;
  /** Clauses without a test, and ids without a clause. The list is empty if there are no faults. */
  readonly faults: readonly string[];
}

/** Puts the clauses of docs/contract beside the tests whose titles carry their ids. */
export function makeChecklist(root: URL): Checklist {
  const { pages, faults } = readPages(root);
  const known = new Set(pages.flatMap(({ clauses }) => clauses.map(({ id }) => id)));
  const holders = new Map<string, string[]>();
  const dangling: string[] = [];
  for (const path of filesOf(root, ["test"], MODULES)) {
    for (const title of testTitles(path, sourceOf(root, path))) {
      for (const id of citedIds(title.titles.at(-1) ?? "")) {
        if (!known.has(id)) dangling.push(`${path}: a title cites ${id}, which is no clause`);
        if (title.hasTest) holders.set(id, [...(holders.get(id) ?? []), nameOf(path, title)]);
      }
    }
  }
  const unheld = [...known].filter((id) => !holders.has(id)).map((id) => `${id} has no test`);
  return {
    markdown: render(pages, holders),
    faults: [...faults, ...dangling, ...danglingBesides(root, known), ...unheld],
  };
}

/** Finds cited ids without a clause, in comments and documents. */
function danglingBesides(root: URL, known: ReadonlySet<string>): string[] {
  const modules = filesOf(root, MODULE_FOLDERS, MODULES).map((path) => ({
    path,
    text: commentsOf(path, sourceOf(root, path)).join("\n"),
  }));
  const ownFiles = readdirSync(root).filter((name) => TEXTS.test(name));
  const texts = [...ownFiles, ...filesOf(root, TEXT_FOLDERS, TEXTS)].map((path) => ({
    path,
    text: sourceOf(root, path),
  }));
  return [...modules, ...texts].flatMap(({ path, text }) =>
    citedIds(text)
      .filter((id) => !known.has(id))
      .map((id) => `${path} cites ${id}, which is no clause`),
  );
}

/** The files in and below these folders whose names match, by their paths under the root. */
function filesOf(root: URL, folders: readonly string[], name: RegExp): string[] {
  const top = fileURLToPath(root);
  return folders
    .filter((folder) => existsSync(new URL(folder, root)))
    .flatMap((folder) => readdirSync(join(top, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && name.test(entry.name) && !entry.parentPath.includes("node_modules"))
    .map((entry) => relative(top, join(entry.parentPath, entry.name)))
    .toSorted();
}

const sourceOf = (root: URL, path: string): string => readFileSync(new URL(path, root), "utf8");

/** `path › group › test` without the clause ids, which the row shows already. */
function nameOf(path: string, { titles }: TestTitle): string {
  return [path, ...titles.map((title) => title.replace(/^(?:[A-Z]{2,5}-\d+(?:, |: ))+/, ""))].join(" › ");
}

const HEADER = `# Specification checklist

Each clause of the contract (${CONTRACT}) and the tests that hold it. \`npm run checklist\` writes this file from the
clauses and from the ids in the tests' titles; a test fails where a clause has no test, and where a
title, a comment or a document cites an id that no clause has.
`;

function render(pages: readonly ContractPage[], holders: ReadonlyMap<string, readonly string[]>): string {
  const sections = pages.map(({ path, title, clauses }) => {
    const rows = clauses.map(
      ({ id, firstWords }) =>
        `| ${id} | ${inCell(firstWords)} | ${(holders.get(id) ?? []).map(titleInCell).join("<br>")} |`,
    );
    return `## [${title}](../${path})\n\n| Clause | Begins | Held by |\n|---|---|---|\n${rows.join("\n")}\n`;
  });
  return [HEADER, ...sections].join("\n");
}

const inCell = (text: string): string => text.replaceAll("|", "\\|");
/** A title is no Markdown, so text that resembles a tag is escaped. */
const titleInCell = (title: string): string => inCell(title).replaceAll("<", "\\<");
