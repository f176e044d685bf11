/** On a slow host a node logs more about PostgreSQL, because a ping or a refresh is late. */
const OF_POSTGRES = /"(?:msg|message)":"[^"]*(?:PostgreSQL|could not be refreshed)/;

/** The lines of a service's log that a slow host does not explain. */
export function ownLog(log: string): string {
  return log
    .split("\n")
    .filter((line) => !OF_POSTGRES.test(line))
    .join("\n");
}
