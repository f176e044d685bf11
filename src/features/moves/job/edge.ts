import { once } from "node:events";
import { connect } from "node:net";
import { idFromHex } from "../../../domain/ids/ids.js";
import { MOVE_TUNING } from "../../../domain/vocabulary/tuning/moves.js";
import type { Ends } from "./rows.js";

/** HAProxy's runtime API: `host:port`, or the path of a socket. */
export type EdgeAddress = string;

const MAP = "moved.map";

/** CELL-4: the entries by which the edge recognises the workspace: ids of its API keys, and hashes of its tokens. */
export async function mapEntries({ source, workspaceId }: Ends): Promise<string[]> {
  const { rows } = await source.query<{ entry: string }>(
    `select public_id as entry from api_keys where workspace_id = $1 and revoked_at is null
     union select encode(token_hash, 'hex') from sessions where workspace_id = $1
     union select encode(token_hash, 'hex') from invitations where workspace_id = $1 and accepted_at is null
     union select encode(token_hash, 'hex') from password_resets where workspace_id = $1
     order by entry`,
    [workspaceId],
  );
  return [...rows.map(({ entry }) => entry), idFromHex("ws", workspaceId)];
}

/**
 * Throws unless the edge answers, has the map and knows the cell. Without the map, the cells named in API keys would
 * still decide where requests go.
 */
export async function checkEdge(address: EdgeAddress, cell: string): Promise<void> {
  const answer = await say(address, `show map ${MAP}`);
  if (/unknown map|permission/i.test(answer))
    throw new Error(`the edge at ${address} has no ${MAP} to change`);
  if (!new RegExp(`^\\S+ ${cell} `, "m").test(await say(address, "show map cells.map")))
    throw new Error(`the edge at ${address} knows no cell ${cell}`);
}

/** Makes the edge send the workspace's next requests to the cell. The call may be repeated. */
export async function switchEdge(
  address: EdgeAddress,
  entries: readonly string[],
  cell: string,
): Promise<void> {
  // An entry that the map has already is set. If it were added, both of its values would stay.
  const before = new Set(
    Array.from((await say(address, `show map ${MAP}`)).matchAll(/^\S+ (\S+) \S+$/gm), ([, entry]) => entry),
  );
  for (let at = 0; at < entries.length; at += MOVE_TUNING.mapEntriesAtOnce) {
    const some = entries.slice(at, at + MOVE_TUNING.mapEntriesAtOnce);
    const changed = some.filter((entry) => before.has(entry));
    if (changed.length > 0)
      await say(address, changed.map((entry) => `set map ${MAP} ${entry} ${cell}`).join(";"));
    const added = some.filter((entry) => !before.has(entry)).map((entry) => `${entry} ${cell}\n`);
    if (added.length === 0) continue;
    const answer = await say(address, `add map ${MAP} <<\n${added.join("")}`);
    if (answer.trim() !== "") throw new Error(`the edge at ${address} refuses: ${answer.trim()}`);
  }
}

async function say(address: EdgeAddress, command: string): Promise<string> {
  const [, host, port] = /^(.+):(\d+)$/.exec(address) ?? [];
  const socket = host === undefined ? connect(address) : connect(Number(port), host);
  let answer = "";
  socket.setTimeout(MOVE_TUNING.frozenMsMax, () =>
    socket.destroy(new Error(`the edge at ${address} does not answer`)),
  );
  socket.setEncoding("utf8").on("data", (text: string) => (answer += text));
  socket.end(`${command}\n`);
  await once(socket, "close");
  return answer;
}
