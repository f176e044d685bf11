import { posix } from "node:path";
import { allowedText, bansOf, folderOf, typesOnlyText } from "./boundaries.js";
import { BUILD_FILES, FLOORS, LIMITS, type Floor } from "./floors.js";

export const LINT_CONFIG = ".oxlintrc.json";

interface Pattern {
  readonly regex?: string;
  readonly group?: readonly string[];
  readonly allowTypeImports?: true;
  readonly message: string;
}

export interface Override {
  readonly files: readonly string[];
  readonly rules: Readonly<Record<string, unknown>>;
}

export interface LintConfig {
  readonly overrides: readonly Override[];
}

const IMPORTS = "no-restricted-imports";
const GLOBALS = "no-restricted-globals";
const PROPERTIES = "no-restricted-properties";
const BOUNDARY_RULES: ReadonlySet<string> = new Set([IMPORTS, GLOBALS, PROPERTIES]);

const PURE_GLOBALS = ["process", "Buffer", "performance", "setTimeout", "setInterval", "crypto"];
const JSON_MESSAGE = "The pure domain has values. Text is written and read where it is stored or sent.";
const pureRules = (bans: readonly string[]): Override["rules"] => ({
  [GLOBALS]: [
    "error",
    ...PURE_GLOBALS.map((name) => ({
      name,
      message: "The pure domain takes time and randomness as values.",
    })),
    ...bans.map((name) => ({ name, message: JSON_MESSAGE })),
  ],
  [PROPERTIES]: [
    "error",
    { object: "Date", property: "now", message: "Time comes in as a value." },
    { object: "Math", property: "random", message: "Randomness comes in as a value." },
  ],
});

/** Server code takes the time from this file. The host's clock may jump, but this file's `now` does not. */
const CLOCK = "src/platform/timing/clock.ts";
const SERVER_FILES = ["src/*.ts", "src/{composition,features,path,platform}/**", "workers/**"];
const SERVER_RULES = {
  [PROPERTIES]: ["error", { object: "Date", property: "now", message: `Time comes from ${CLOCK}.` }],
};

/**
 * Returns the configuration with the boundaries of the floors. Other rules stay. A boundary rule that was put into an
 * override by hand is removed, because it would silently replace the whole boundary.
 */
export function lintConfig(config: LintConfig): LintConfig {
  const kept = config.overrides
    .map((override) => ({
      ...override,
      rules: Object.fromEntries(Object.entries(override.rules).filter(([rule]) => !BOUNDARY_RULES.has(rule))),
    }))
    .filter(({ rules }) => Object.keys(rules).length > 0);
  return { ...config, overrides: [...boundaries(), ...kept] };
}

function boundaries(): Override[] {
  const pure = FLOORS.filter(({ isPure }) => isPure);
  const filesOf = (floors: readonly Floor[]): string[] => floors.map((floor) => `${folderOf(floor)}/**`);
  return [
    ...FLOORS.flatMap(floorOverrides),
    { files: SERVER_FILES, rules: SERVER_RULES },
    { files: filesOf(pure), rules: pureRules(["JSON"]) },
    { files: filesOf(pure.filter(({ writesJson }) => writesJson !== undefined)), rules: pureRules([]) },
    { files: [CLOCK], rules: { [PROPERTIES]: "off" } },
    { files: BUILD_FILES, rules: { [IMPORTS]: "off" } },
  ];
}

const importRule = (patterns: readonly Pattern[]): Override["rules"] => ({
  [IMPORTS]: ["error", { patterns }],
});
const levelsBelowSrc = (folder: string): number =>
  posix.relative("src", folder).split("/").filter(Boolean).length;

/** One override for each level of folders: how an import is written depends on how deep its file lies. */
function floorOverrides(floor: Floor): Override[] {
  const folder = folderOf(floor);
  const levels = floor.ownFilesOnly === true ? 1 : LIMITS.folderLevelsMax - levelsBelowSrc(folder) + 1;
  return Array.from({ length: levels }, (_, level) => ({
    files: [`${folder}${"/*".repeat(level)}/*`],
    rules: importRule(patternsOf(floor, level)),
  }));
}

/**
 * The last pattern is a group, and all others are regular expressions. They come first, because an import that a
 * group permits with `!` also passes all other groups.
 */
function patternsOf(floor: Floor, level: number): Pattern[] {
  const place = `${folderOf(floor)}${"/x".repeat(level)}`;
  const mayTypes = floor.mayTypes ?? [];
  const outside = [`${"../".repeat(level + 1)}**`, ...(floor.ownFilesOnly === true ? ["./*/**"] : [])];
  const allowed = [...floor.may, ...mayTypes].map((entry) => `!${globOf(place, entry)}`);
  return [
    ...bansOf(floor),
    ...mayTypes.map((entry) => ({
      regex: `^${written(place, posix.join("src", entry)).replaceAll(".", String.raw`\.`)}/`,
      allowTypeImports: true as const,
      message: typesOnlyText(floor),
    })),
    { group: [...outside, ...allowed], message: allowedText(floor) },
  ];
}

/** The glob of the specifiers with which a file in `place` imports from the entry. */
function globOf(place: string, entry: string): string {
  const path = posix.join("src", entry);
  if (/\.tsx?$/.test(entry)) return written(place, path).replace(/\.tsx?$/, ".js");
  const way = written(place, path);
  // A star alone would also match `..`, and so permit imports from further up.
  return /(?:^|\/)\.{1,2}$/.test(way) ? `${way}/[a-z]*/**` : `${way}/**`;
}

function written(place: string, path: string): string {
  const way = posix.relative(place, path);
  if (way === "") return ".";
  return way.startsWith("..") ? way : `./${way}`;
}
