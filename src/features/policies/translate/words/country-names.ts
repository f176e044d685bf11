import countries from "i18n-iso-countries";
import { isCountry } from "../../../../domain/vocabulary/iso-codes.js";

/** Returns the form in which names are compared: lower case, single spaces, no marks, points or articles. */
export function plainCountryName(name: string): string {
  return name
    .normalize("NFD")
    .replace(/[\u0300-\u036f.]/g, "")
    .replace(/[^\p{L}]+/gu, " ")
    .toLowerCase()
    .split(" ")
    .filter((word) => word !== "" && word !== "the")
    .join(" ");
}

/** Everyday names of countries that the library lists only by their official names. */
const EVERYDAY_NAMES = { syria: "SY", laos: "LA", brunei: "BN", moldova: "MD" } as const;

/**
 * Maps English names and their common spellings to ISO 3166-1 alpha-2. A spelling that two countries share is left out.
 */
export const COUNTRY_CODES_BY_NAME: ReadonlyMap<string, string> = (() => {
  const codes = new Map<string, string>();
  const shared = new Set<string>();
  for (const [code, names] of Object.entries(countries.getNames("en", { select: "all" }))) {
    if (!isCountry(code)) continue;
    for (const name of [names].flat().map(plainCountryName)) {
      if (codes.has(name) && codes.get(name) !== code) shared.add(name);
      codes.set(name, code);
    }
  }
  for (const name of shared) codes.delete(name);
  for (const [name, code] of Object.entries(EVERYDAY_NAMES)) codes.set(name, code);
  return codes;
})();

/** The first words of all names. Most words of a sentence are not among them, so they need no full search. */
export const COUNTRY_NAME_STARTS: ReadonlySet<string> = new Set(
  Array.from(COUNTRY_CODES_BY_NAME.keys(), (name) => name.split(" ")[0] as string),
);
