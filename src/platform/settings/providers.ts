const PROVIDER_ID = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;

/**
 * False for a name that every object inherits, such as `constructor`, because ids become property names in bodies and
 * schemas.
 */
const isFree = (id: string): boolean => !(id in Object.prototype);

/** True if PROVIDERS is valid: 1 to 32 distinct ids in lower snake_case, each with at most 64 characters. */
export function isProviderList(list: readonly string[]): boolean {
  return (
    list.length > 0 &&
    list.length <= 32 &&
    new Set(list).size === list.length &&
    list.every((id) => id.length <= 64 && PROVIDER_ID.test(id) && isFree(id))
  );
}
