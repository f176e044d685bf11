import { createTraffic, ORDER_COUNTER_DIGITS, orderIdPrefix, type TrafficOptions } from "./traffic.js";

/** The next complete HTTP/1.1 request. The bytes are valid until the same buffer comes round again. */
export interface RequestSource {
  next(): Buffer;
}

/** Distinct bodies made before a run; only their order counters change during it. */
const DISTINCT_BODIES = 4096;

export interface Endpoint {
  url: URL;
  /** The API key; none is sent when it is empty. */
  key: string;
}

/**
 * Seeded traffic whose order ids never repeat: building bodies during a run would charge the generator's work to
 * the machine under test, so prepared requests are renumbered in place (12 bytes each).
 */
export function createTrafficSource(
  endpoint: Endpoint,
  traffic: TrafficOptions,
  firstOrder = 0,
): RequestSource {
  const stream = createTraffic(traffic);
  const prefix = Buffer.from(orderIdPrefix(traffic.seed));
  const requests = Array.from({ length: DISTINCT_BODIES }, () => {
    const bytes = requestBytes(endpoint, JSON.stringify(stream.next()));
    return { bytes, counterEnd: bytes.indexOf(prefix) + prefix.length + ORDER_COUNTER_DIGITS };
  });
  let order = firstOrder;
  return {
    next() {
      const { bytes, counterEnd } = requests[order % DISTINCT_BODIES] as (typeof requests)[number];
      let left = order++;
      for (let at = counterEnd - 1; at >= counterEnd - ORDER_COUNTER_DIGITS; at--) {
        bytes[at] = 48 + (left % 10);
        left = Math.floor(left / 10);
      }
      return bytes;
    },
  };
}

/** Recorded bodies, sent in turn exactly as they are. */
export function createRecordedSource(endpoint: Endpoint, bodies: readonly string[]): RequestSource {
  const requests = bodies.map((body) => requestBytes(endpoint, body));
  let index = 0;
  return { next: () => requests[index++ % requests.length] as Buffer };
}

function requestBytes({ url, key }: Endpoint, body: string): Buffer {
  const credentials = key === "" ? "" : `x-api-key: ${key}\r\n`;
  return Buffer.from(
    `POST ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n${credentials}` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
