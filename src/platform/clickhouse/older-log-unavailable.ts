/** ClickHouse is away, slow or refuses, or too many reads ask it already. */
export class OlderLogUnavailableError extends Error {}
