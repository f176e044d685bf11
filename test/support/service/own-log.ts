/** Of PostgreSQL a node says more on a slow host, where a ping or a refresh comes too late. */
const OF_POSTGRES = /"(?:msg|message)":"[^"]*(?:PostgreSQL|could not be refreshed)/;

/** The lines of a service's log that a slow host is no reason for. */
export function ownLog(log: string): string {
  return log
    .split("\n")
    .filter((line) => !OF_POSTGRES.test(line))
    .join("\n");
}
