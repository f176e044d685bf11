import { once } from "node:events";
import { connect } from "node:tls";

/** Writes raw HTTP/2 frames that `node:http2` refuses to send. Each request is alone on its connection. */

const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const FRAME = { headers: 1, resetStream: 3, settings: 4, goAway: 7 } as const;
const END_STREAM = 1;
const END_HEADERS = 4;
/** RFC 7541 Appendix A and 6.1: an indexed field is its index with the first bit set. */
const INDEXED_STATUS: Readonly<Record<number, number>> = { 0x88: 200, 0x8c: 400, 0x8d: 404, 0x8e: 500 };

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** RFC 7541 6.2.2: a literal with a new name, not indexed and without Huffman coding. */
function literal(name: string, value: string): Buffer {
  const text = (latin1: string): Buffer =>
    Buffer.concat([Buffer.from([latin1.length]), Buffer.from(latin1, "latin1")]);
  return Buffer.concat([Buffer.from([0]), text(name), text(value)]);
}

/**
 * The status of the answer to a GET with one more header. `refused` when the server ends the stream or the connection
 * instead.
 */
export async function http2Status(
  url: string,
  certificate: string,
  [name, value]: readonly [name: string, value: string],
): Promise<number | "refused"> {
  const { port } = new URL(url);
  const socket = connect({
    host: "127.0.0.1",
    port: Number(port),
    ca: certificate,
    servername: "localhost",
    ALPNProtocols: ["h2"],
  });
  await once(socket, "secureConnect");
  const fields = [
    [":method", "GET"],
    [":scheme", "https"],
    [":authority", "localhost"],
    [":path", "/health"],
    [name, value],
  ] as const;
  const block = Buffer.concat(fields.map(([field, text]) => literal(field, text)));
  socket.write(
    Buffer.concat([
      Buffer.from(PREFACE),
      frame(FRAME.settings, 0, 0, Buffer.alloc(0)),
      frame(FRAME.headers, END_STREAM | END_HEADERS, 1, block),
    ]),
  );
  try {
    let received = Buffer.alloc(0);
    for await (const bytes of socket) {
      received = Buffer.concat([received, bytes as Buffer]);
      while (received.length >= 9 && received.length >= 9 + received.readUIntBE(0, 3)) {
        const length = received.readUIntBE(0, 3);
        const type = received[3];
        const first = received[9] ?? 0;
        received = received.subarray(9 + length);
        if (type === FRAME.resetStream || type === FRAME.goAway) return "refused";
        if (type === FRAME.headers) return INDEXED_STATUS[first] ?? -1;
      }
    }
    return "refused";
  } finally {
    socket.destroy();
  }
}
