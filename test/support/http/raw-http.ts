import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { assertDocumented } from "./documented.js";

/** A reply in its form on the wire. */
export interface RawReply {
  status: number;
  /** The reason phrase after the status code. */
  reason: string;
  /** Names are in lower case. Values are in the order received. */
  headers: Map<string, string[]>;
  body: string;
}

/** Sends over one connection any bytes, even some that no client library would send. Reads replies one by one. */
export interface RawConnection {
  write(bytes: string | Uint8Array): void;
  /** The next reply. Rejects if the server closes the connection first. `bodiless` is for HEAD. */
  reply(options?: { bodiless?: boolean }): Promise<RawReply>;
  /** Resolves once the server has closed the connection, to the bytes that belong to no reply. */
  closed(): Promise<string>;
  /** True while neither side has closed the connection. */
  isOpen(): boolean;
  /** False while written bytes still wait for the peer. */
  isDrained(): boolean;
  destroy(): void;
}

export async function openConnection(url: string): Promise<RawConnection> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol === "https:") return rawConnection(await connectedTls(url), url);
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, "connect");
  return rawConnection(socket, url);
}

/** Opens a raw connection over TLS. `certificate` is the PEM text of the only trusted certificate. */
export async function openTlsConnection(url: string, certificate: string): Promise<RawConnection> {
  return rawConnection(await connectedTls(url, { ca: certificate }), null);
}

async function connectedTls(url: string, trust: { ca?: string } = {}): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connectTls({ host: hostname, port: Number(port), servername: "localhost", ...trust });
  await once(socket, "secureConnect");
  return socket.setNoDelay(true);
}

/**
 * Replies are checked against the document of the service at `documentedAt`, as long as they can be matched to the
 * requests written.
 */
function rawConnection(socket: Socket, documentedAt: string | null): RawConnection {
  // A reset ends the connection like any other end. The test decides what it means.
  socket.on("error", () => undefined);
  let received = Buffer.alloc(0);
  let ended = false;
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const resume of woken) resume();
  };
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  socket.on("close", () => {
    ended = true;
    wake();
  });
  /** Written text that was not yet searched for request lines. */
  let unsearched = "";
  let writtenChars = 0;
  const requests: (readonly [method: string, path: string])[] = [];
  let replies = 0;
  const nextRequest = (): readonly [method: string, path: string] | undefined => {
    let searchedTo = 0;
    for (const { 0: line, 1: method = "", 2: path = "", index } of unsearched.matchAll(REQUEST_LINE)) {
      requests.push([method, path]);
      searchedTo = index + line.length;
    }
    unsearched = unsearched.slice(searchedTo);
    return requests[replies++];
  };
  const more = (): Promise<void> => new Promise((resolve) => void waiting.push(resolve));

  return {
    write(bytes) {
      if (writtenChars < WRITTEN_CHARS_MAX) {
        const text = typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("latin1");
        // Most bodies do not end with a line end. Without the one added here, a body that ends in capitals would run
        // into the method of the next request.
        unsearched += text.search(REQUEST_LINE) === 0 ? `\n${text}` : text;
        writtenChars += text.length;
      }
      socket.write(bytes);
    },
    async reply({ bodiless = false } = {}) {
      for (;;) {
        const reply = parseReply(received, bodiless);
        if (reply !== null) {
          received = received.subarray(reply.bytes);
          const [method, path] = nextRequest() ?? [];
          if (documentedAt !== null && method !== undefined && path !== undefined && hasOwnBody(reply)) {
            const [contentType = null] = reply.headers.get("content-type") ?? [];
            const { status, body: text } = reply;
            await assertDocumented(new URL(documentedAt).origin + path, method, {
              status,
              contentType,
              text,
            });
          }
          return reply;
        }
        if (ended) throw new Error(`closed after ${received.length} bytes: ${received.toString("latin1")}`);
        await more();
      }
    },
    async closed() {
      while (!ended) await more();
      return received.toString("latin1");
    },
    isOpen: () => !ended,
    isDrained: () => !socket.writableNeedDrain,
    destroy: () => void socket.destroy(),
  };
}

/** Text beyond this length is not searched for request lines, because some tests write endless bodies. */
const WRITTEN_CHARS_MAX = 2 ** 20;

/** A request line that our server accepts. A body contains one only where a test wants it to. */
const REQUEST_LINE = /^([A-Z]+) (\/\S*) HTTP\/1\.1\r$/gm;

/** The parser's own answers cannot have the service's body (HTTP-19). All other answers have a request id. */
function hasOwnBody({ headers }: RawReply): boolean {
  return headers.has("x-request-id");
}

function parseReply(received: Buffer, bodiless: boolean): (RawReply & { bytes: number }) | null {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd === -1) return null;
  const [statusLine = "", ...lines] = received.toString("latin1", 0, headEnd).split("\r\n");
  const match = /^HTTP\/1\.1 (\d{3}) (.*)$/.exec(statusLine);
  if (match === null) throw new Error(`not a status line: ${statusLine}`);
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()]);
  }
  const bodyBytes = bodiless ? 0 : Number(headers.get("content-length")?.[0] ?? 0);
  const bytes = headEnd + 4 + bodyBytes;
  if (received.length < bytes) return null;
  return {
    status: Number(match[1]),
    reason: match[2] ?? "",
    headers,
    body: received.toString("utf8", headEnd + 4, bytes),
    bytes,
  };
}

/** The text of a request. A `content-length` is added when `body` is given without a framing header. */
export function requestText(
  method: string,
  path: string,
  headers: readonly (readonly [name: string, value: string])[] = [],
  body?: string,
): string {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const own: [string, string][] = names.has("host") ? [] : [["Host", "localhost"]];
  if (body !== undefined && !names.has("content-length") && !names.has("transfer-encoding")) {
    own.push(["Content-Length", String(Buffer.byteLength(body))]);
  }
  const lines = [...own, ...headers].map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`;
}
