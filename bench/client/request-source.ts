import { createTraffic, ORDER_COUNTER_DIGITS, orderIdPrefix, type TrafficOptions } from "./traffic.js";

/** Returns the next complete HTTP/1.1 request. Its bytes are valid until the source reuses the buffer. */
export interface RequestSource {
  next(): Buffer;
}

/** The number of distinct bodies. They are made before a run, and only their order counters change during it. */
const DISTINCT_BODIES = 4096;

export interface Endpoint {
  url: URL;
  /** The API key. An empty key is not sent. */
  key: string;
}

/**
 * Seeded traffic whose order ids never repeat. Building bodies during a run would charge the generator's work to the
 * machine under test, so prepared requests are renumbered in place (12 bytes each).
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
    return { bytes, counterAt: bytes.indexOf(prefix) + prefix.length };
  });
  let index = firstOrder;
  const order = Buffer.from(String(firstOrder).padStart(ORDER_COUNTER_DIGITS, "0"));
  return {
    next() {
      const { bytes, counterAt } = requests[index++ % DISTINCT_BODIES] as (typeof requests)[number];
      for (let at = 0; at < ORDER_COUNTER_DIGITS; at++) bytes[counterAt + at] = order[at] as number;
      addOne(order);
      return bytes;
    },
  };
}

/** Adds one to a decimal number in ASCII. */
function addOne(digits: Buffer): void {
  let at = digits.length - 1;
  while (digits[at] === NINE) digits[at--] = ZERO;
  digits[at] = (digits[at] as number) + 1;
}
const ZERO = 48;
const NINE = 57;

/** Recorded bodies, sent in turn and unchanged. */
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
