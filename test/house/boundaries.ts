import { posix } from "node:path";
import { FLOORS, type Floor } from "./floors.js";

/** A ban on imports by their text. It applies in addition to the floor's other rules. */
export interface Ban {
  /** The linter's engine reads it too. That engine has no lookahead, and silently skips a pattern that uses one. */
  readonly regex: string;
  readonly message: string;
}

const PURE_BAN: Ban = { regex: "^(?:node:.*|lmdb|pg|piscina)$", message: "The pure domain does no I/O." };
const TENANTS_BAN: Ban = {
  regex: String.raw`^pg$|/postgres/(?:pool|transaction)\.js$`,
  message: "A tenant's rows are read through platform/postgres/tenant-db.js, which sees one workspace.",
};
const BROWSER_BAN: Ban = { regex: "^node:", message: "The page runs in a browser." };

export function bansOf(floor: Floor): Ban[] {
  return [
    ...(floor.isPure === true ? [PURE_BAN] : []),
    ...(floor.isTenantsOnly === true ? [TENANTS_BAN] : []),
    ...(floor.runsIn === "browser" ? [BROWSER_BAN] : []),
  ];
}

/** The path relative to the repository's root. */
export function folderOf(floor: Floor): string {
  return posix.join("src", floor.folder);
}

export function allowedText(floor: Floor): string {
  const types = (floor.mayTypes ?? []).map((folder) => `types of ${folder}`);
  const allowed = [...floor.may, ...types].join(", ");
  return `${folderOf(floor)} may import only: ${allowed === "" ? "nothing" : allowed} (test/house/floors.ts).`;
}

export function typesOnlyText(floor: Floor): string {
  return `${folderOf(floor)} takes types from there and nothing else (test/house/floors.ts).`;
}

function covers(floor: Floor, file: string): boolean {
  const folder = folderOf(floor);
  return floor.ownFilesOnly === true ? posix.dirname(file) === folder : file.startsWith(`${folder}/`);
}

/** The floor of a file: the most specific one that names its folder. Undefined where no floor does. */
export function floorOf(file: string): Floor | undefined {
  return FLOORS.filter((floor) => covers(floor, file)).toSorted(
    (a, b) => folderOf(b).length - folderOf(a).length,
  )[0];
}

const withoutExtension = (path: string): string => path.replace(/\.[jt]sx?$/, "");

/** Whether an entry of a floor's list covers the file. */
function names(entry: string, file: string): boolean {
  const path = posix.join("src", entry);
  if (/\.tsx?$/.test(entry)) return withoutExtension(file) === withoutExtension(path);
  return file.startsWith(`${path}/`);
}

/** The reason why a file may not have this import, or null. */
export function refusal(file: string, specifier: string, isType: boolean): string | null {
  const floor = floorOf(file);
  if (floor === undefined) return null;
  const ban = bansOf(floor).find(({ regex }) => new RegExp(regex).test(specifier));
  if (ban !== undefined) return ban.message;
  if (!specifier.startsWith(".")) return null;
  const target = posix.join(posix.dirname(file), specifier);
  if (covers(floor, target) || floor.may.some((entry) => names(entry, target))) return null;
  if ((floor.mayTypes ?? []).some((entry) => names(entry, target)))
    return isType ? null : typesOnlyText(floor);
  return allowedText(floor);
}
