import type { Place, Provider, World } from "./world.js";

/** The provider of a level's key, `<provider>:<payment_method>:<currency>[:<country>[:<card_network>]]`. */
export function providerOf(levelKey: string): Provider {
  return levelKey.slice(0, levelKey.indexOf(":")) as Provider;
}

/** The key of the deepest level that holds the payments of a place. */
export function levelKeyOf(provider: Provider, { method, currency, country, network }: Place): string {
  return [provider, method, currency, country, ...(network === null ? [] : [network])].join(":");
}

/** The places whose payments a level holds. */
export function placesOf({ places }: World, levelKey: string): Place[] {
  const [, method, currency, country, network] = levelKey.split(":");
  return places.filter(
    (place) =>
      place.method === method &&
      place.currency === currency &&
      (country === undefined || place.country === country) &&
      (network === undefined || place.network === network),
  );
}
