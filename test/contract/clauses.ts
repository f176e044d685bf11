import { readdirSync, readFileSync } from "node:fs";

/** The folder of the contract, under the root of the repository. */
export const CONTRACT = "docs/contract";

export interface Clause {
  /** For example `POL-12`. */
  readonly id: string;
  /** The beginning of the clause's text. */
  readonly firstWords: string;
}

export interface ContractPage {
  /** The path under the root of the repository. */
  readonly path: string;
  readonly title: string;
  readonly clauses: readonly Clause[];
}

const CLAUSE = /^- \*\*([A-Z]{2,5}-[1-9]\d{0,2})\*\* (\S.*)$/gm;
const FIRST_WORDS_MAX = 14;

/** Reads the pages in the order of the table in README.md. A page that the table lacks is a fault. */
export function readPages(root: URL): { pages: ContractPage[]; faults: string[] } {
  const readme = readFileSync(new URL(`${CONTRACT}/README.md`, root), "utf8");
  const names = Array.from(readme.matchAll(/^\| \[[^\]]+\]\(([\w-]+\.md)\) \|/gm), ([, name]) => name ?? "");
  const left = readdirSync(new URL(CONTRACT, root)).filter(
    (name) => name !== "README.md" && !names.includes(name),
  );
  const faults = left.map((name) => `${CONTRACT}/${name} is not in the table of README.md`);
  const pages = names.map((name) => readPage(root, name));
  return { pages, faults: [...faults, ...repeated(pages)] };
}

function readPage(root: URL, name: string): ContractPage {
  const path = `${CONTRACT}/${name}`;
  const text = readFileSync(new URL(path, root), "utf8");
  const clauses = Array.from(text.matchAll(CLAUSE), ([, id = "", words = ""]) => ({
    id,
    firstWords: firstWords(words),
  }));
  return { path, title: /^# (.+)$/m.exec(text)?.[1] ?? name, clauses };
}

function firstWords(text: string): string {
  const words = text.split(" ");
  if (words.length <= FIRST_WORDS_MAX) return text;
  const cut = words.slice(0, FIRST_WORDS_MAX).join(" ");
  // A code span that is cut in two would run into the next cell of the table.
  const spans = cut.split("`").length - 1;
  return spans % 2 === 0 ? `${cut} …` : `${cut}\` …`;
}

function repeated(pages: readonly ContractPage[]): string[] {
  const pageOf = new Map<string, string>();
  const faults: string[] = [];
  for (const { path, clauses } of pages) {
    for (const { id } of clauses) {
      const other = pageOf.get(id);
      if (other !== undefined) faults.push(`${id} is a clause of ${other} and again of ${path}`);
      pageOf.set(id, path);
    }
  }
  return faults;
}
