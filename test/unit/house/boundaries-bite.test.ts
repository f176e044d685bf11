import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { after, before, describe, it } from "node:test";
import { folderOf, refusal } from "../../house/boundaries.js";
import { BUILD_FILES, FLOORS, LIMITS, type Floor } from "../../house/floors.js";
import { LINT_CONFIG } from "../../house/lint-config.js";
import { ROOT } from "../../house/tree.js";

/**
 * The linter silently skips a pattern that it cannot read, and a group may silently cancel the patterns after it. So
 * the real linter with the real configuration checks every import from each floor to each other floor.
 */
interface Case {
  readonly file: string;
  readonly specifier: string;
  readonly isType: boolean;
}
interface Diagnostic {
  code: string;
  filename: string;
  labels: { span: { line: number } }[];
}

const PACKAGES = ["pg", "lmdb", "piscina", "node:fs", "ajv"];
const PURE_LINES = [
  "process.exit();",
  "Buffer.alloc(1);",
  "performance.now();",
  "setTimeout(f, 1);",
  "Date.now();",
  "Math.random();",
];
const CLOCKS = "clocks.ts";
const isOfServer = (place: string): boolean =>
  place === "src" || /^(?:src\/(?:composition|features|path|platform)|workers)(?:\/|$)/.test(place);
/**
 * The lines of PURE_LINES that the linter must report, counted from 1. In a pure folder it reports all of them. In code
 * for a server it reports the reads of the host's clock.
 */
const linesReported = (floor: Floor, place: string): number[] =>
  PURE_LINES.map((text, at) => ({ text, line: at + 1 }))
    .filter(({ text }) => floor.isPure === true || (isOfServer(place) && text === "Date.now();"))
    .map(({ line }) => line);

/** The possible imports: a file of each floor, one of a folder in it, and the files that a ban names. */
const TARGETS = [
  ...FLOORS.flatMap((floor) => [
    `${folderOf(floor)}/one.js`,
    ...(floor.ownFilesOnly === true ? [] : [`${folderOf(floor)}/inner/one.js`]),
  ]),
  "src/domain/policy/normal-form.js",
  "src/platform/postgres/pool.js",
  "src/platform/postgres/transaction.js",
  "src/platform/postgres/tenant-db.js",
];

function specifierOf(file: string, target: string): string {
  const way = posix.relative(posix.dirname(file), target);
  return way.startsWith(".") ? way : `./${way}`;
}

/** A floor's own folder, and the folders below it that the limit of levels allows. */
function placesOf(floor: (typeof FLOORS)[number]): string[] {
  const folder = folderOf(floor);
  if (floor.ownFilesOnly === true) return [folder];
  const levels = LIMITS.folderLevelsMax - folder.split("/").length + 2;
  return Array.from({ length: levels }, (_, level) => folder + "/inner".repeat(level));
}

/**
 * Each target is imported from each place, alternately as a value and as a type. If the floor distinguishes the two, it
 * is imported as both.
 */
const CASES: readonly Case[] = FLOORS.flatMap((floor) =>
  placesOf(floor).flatMap((place) => {
    const file = `${place}/case.ts`;
    return [...TARGETS.map((target) => specifierOf(file, target)), ...PACKAGES].flatMap((specifier, at) =>
      (floor.mayTypes === undefined ? [at % 2 === 0] : [true, false]).map((isType) => ({
        file,
        specifier,
        isType,
      })),
    );
  }),
);
/** These cases are written by hand, so that a mistake in the rule of `npm run check` is not repeated here. */
const BY_HAND: readonly (Case & { readonly isRefused: boolean })[] = [
  ["src/features/usage/hand.ts", "pg", true],
  ["src/features/usage/hand.ts", "../../platform/postgres/pool.js", true],
  ["src/features/analytics/queries/hand.ts", "../../../platform/postgres/transaction.js", true],
  ["src/features/analytics/queries/hand.ts", "../../../platform/postgres/tenant-db.js", false],
  ["src/features/analytics/queries/hand.ts", "../../policies/queries.js", true],
  ["src/features/analytics/queries/hand.ts", "../../decisions/queries/log.js", true],
  ["src/features/audit/hand.ts", "../../platform/postgres/pool.js", false],
  ["src/features/audit/hand.ts", "../../composition/parts.js", true],
  ["src/features/audit/hand.ts", "../../service.js", true],
  ["src/features/docs/hand.ts", "../alerts/routes.js", false],
  ["src/features/docs/hand.ts", "../../service.js", true],
  ["src/features/policies/linter/hand.ts", "../queries.js", true],
  ["src/domain/risk/hand.ts", "node:fs", true],
  ["src/domain/risk/hand.ts", "../vocabulary/limits.js", false],
  ["src/domain/risk/hand.ts", "../policy/policy.js", true],
  ["src/domain/decision/hand.ts", "../risk/score.js", false],
  ["src/domain/decision/hand.ts", "../../platform/timing/clock.js", true],
  ["src/platform/postgres/embedded/hand.ts", "../../wire/scalars.js", false],
  ["src/platform/postgres/embedded/hand.ts", "../../../path/decide/messages.js", true],
  ["src/path/decide/pool/hand.ts", "../messages.js", false],
  ["src/path/decide/pool/hand.ts", "../../writer/writer-actor.js", true],
  ["src/path/writer/hand.ts", "../../features/reader/reads.js", true],
  ["src/features/alerts/hand.ts", "../audit/service.js", false],
  ["src/features/alerts/hand.ts", "../audit/wire.js", false],
  ["src/features/alerts/hand.ts", "../audit/queries.js", true],
  ["src/features/team/routes/hand.ts", "../../accounts/wire/account-schema.js", false],
  ["src/features/team/routes/hand.ts", "../../accounts/queries.js", true],
  ["src/client/hand.ts", "../domain/policy/policy.js", true],
  ["src/dashboard/pages/team/hand.ts", "../../../client/client.js", true],
  ["src/dashboard/pages/team/hand.ts", "../../../domain/vocabulary/limits.js", false],
  ["src/dashboard/pages/team/hand.ts", "node:path", true],
  ["workers/hand.ts", "../src/dashboard/main.js", true],
  ["workers/hand.ts", "../src/path/writer/writer-actor.js", false],
].map(([file, specifier, isRefused]) => ({
  file: String(file),
  specifier: String(specifier),
  isType: false,
  isRefused: isRefused === true,
}));

let root: string;
const lines = new Map<string, string[]>();
/** The lines of each file that the linter reports for a boundary. */
const reported = new Map<string, Set<number>>();

const textOf = ({ file, specifier, isType }: Case): string =>
  `${file} imports ${specifier}${isType ? " for types" : ""}`;
/** The cases that the linter reports, as text. Each file has its cases in the order of the list. */
function reportedOf(cases: readonly Case[]): string[] {
  const places = new Map<string, number>();
  return cases
    .filter(({ file }) => {
      const line = (places.get(file) ?? 0) + 1;
      places.set(file, line);
      return reported.get(file)?.has(line) === true;
    })
    .map(textOf);
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

describe("the linter, with the configuration written from the floors", () => {
  before(() => {
    root = mkdtempSync(join(tmpdir(), "payinference-boundaries-"));
    // Removes the lint rules that are not about boundaries, because their reports would take most of the time.
    const config = JSON.parse(readFileSync(join(ROOT, LINT_CONFIG), "utf8")) as Record<string, unknown>;
    write(LINT_CONFIG, JSON.stringify({ ...config, options: {}, categories: {}, rules: {} }));
    for (const { file, specifier, isType } of [...CASES, ...BY_HAND]) {
      const others = lines.get(file) ?? [];
      const name = `a${others.length}`;
      lines.set(file, [...others, `import ${isType ? "type " : ""}{ ${name} } from "${specifier}";`]);
    }
    for (const file of BUILD_FILES) lines.set(file, ['export * from "node:fs";']);
    for (const place of FLOORS.flatMap(placesOf)) lines.set(`${place}/${CLOCKS}`, PURE_LINES);
    for (const [file, text] of lines) write(file, text.join("\n"));
    const oxlint = join(ROOT, "node_modules/oxlint/bin/oxlint");
    const { stdout, stderr } = spawnSync(process.execPath, [oxlint, "--format", "json"], {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 256 << 20,
    });
    assert.equal(stderr, "");
    for (const { code, filename, labels } of (JSON.parse(stdout) as { diagnostics: Diagnostic[] })
      .diagnostics) {
      if (!/\(no-restricted-(?:imports|globals|properties)\)$/.test(code)) continue;
      const line = labels[0]?.span.line ?? 0;
      reported.set(filename, (reported.get(filename) ?? new Set()).add(line));
    }
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  for (const floor of FLOORS) {
    it(`reports the forbidden imports of ${folderOf(floor)}, and nothing else, on every level`, () => {
      for (const place of placesOf(floor)) {
        const cases = CASES.filter(({ file }) => posix.dirname(file) === place);
        const refused = cases.filter((one) => refusal(one.file, one.specifier, one.isType) !== null);
        assert.ok(refused.length > 0 && refused.length < cases.length, place);
        assert.deepEqual(reportedOf(cases), refused.map(textOf));
      }
    });
  }

  it("reports the cases that a person listed, and lets the rest pass", () => {
    assert.deepEqual(reportedOf(BY_HAND), BY_HAND.filter(({ isRefused }) => isRefused).map(textOf));
  });

  it("reports clocks, timers and randomness in the pure folders only, and the host's clock where a server runs", () => {
    for (const floor of FLOORS) {
      for (const place of placesOf(floor)) {
        const found = Array.from(reported.get(`${place}/${CLOCKS}`) ?? []).toSorted((a, b) => a - b);
        assert.deepEqual(found, linesReported(floor, place), place);
      }
    }
  });

  it("lets the files that Node builds the page with use Node", () => {
    for (const file of BUILD_FILES) assert.equal(reported.get(file), undefined);
  });
});
