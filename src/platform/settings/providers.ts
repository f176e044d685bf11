const PROVIDER_ID = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;

/**
 * Ids become property names in bodies and schemas. A name that every object inherits, such as `constructor`, is
 * refused.
 */
const isFree = (id: string): boolean => !(id in Object.prototype);

/** PROVIDERS is a list of distinct lower snake_case ids, at least one and at most 64 characters each. */
export function isProviderList(list: readonly string[]): boolean {
  return (
    list.length > 0 &&
    list.length <= 32 &&
    new Set(list).size === list.length &&
    list.every((id) => id.length <= 64 && PROVIDER_ID.test(id) && isFree(id))
  );
}
