import countries from "i18n-iso-countries";
import { isCountry } from "../../../../domain/vocabulary/iso-codes.js";

/** Lower case, without marks, points and articles, single spaces: how names are compared. */
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

/** Names in everyday use that the library has in their official form alone. */
const EVERYDAY_NAMES = { syria: "SY", laos: "LA", brunei: "BN", moldova: "MD" } as const;

/** English names and their spellings in common use → ISO 3166-1 alpha-2. A spelling that two countries share is left out. */
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

/** How names begin: a look-up that spares most words the rest. */
export const COUNTRY_NAME_STARTS: ReadonlySet<string> = new Set(
  Array.from(COUNTRY_CODES_BY_NAME.keys(), (name) => name.split(" ")[0] as string),
);
