import fc from "fast-check";

/** Generated chunked bodies, with or without another request behind them. Text is latin1: one character is one byte. */

/** Only a smuggled request uses this route, so the route's counter reveals smuggling. */
export const SMUGGLED_ROUTE = "/v1/provider-health";

export interface ChunkedRequest {
  /** The content of the chunks. */
  data: string;
  /** The body in its sent form. */
  wire: string;
  /** Whether RFC 9112 §7.1 allows the body. */
  isLegal: boolean;
  /** Whether another request, for `SMUGGLED_ROUTE`, follows the body. */
  isPipelined: boolean;
  /** True without chunk extensions, trailers or another request behind the body. */
  isPlain: boolean;
  /** The positions at which the request is split into packets, as fractions of its length. */
  splits: readonly number[];
}

const SMUGGLED = `GET ${SMUGGLED_ROUTE} HTTP/1.1\r\nhost: e\r\n\r\n`;

const size = (bytes: number, { upper, zeros }: SizeForm): string => {
  const digits = bytes.toString(16);
  return "0".repeat(zeros) + (upper ? digits.toUpperCase() : digits);
};
interface SizeForm {
  upper: boolean;
  zeros: number;
}
const sizeForm: fc.Arbitrary<SizeForm> = fc.record({
  upper: fc.boolean(),
  zeros: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 6 })),
});

const extension = fc.constantFrom(";a", ";a=b", ";a=b;c", ';a="b c"', ";ab=10", ";ffff=1");
const trailer = fc.constantFrom(
  "X-Checksum: abc\r\n",
  "x:y\r\n",
  "a:\r\n",
  "Expires: Thu, 01 Dec 1994 16:00:00 GMT\r\n",
  `a: ${SMUGGLED_ROUTE} HTTP/1.1\r\nhost: e\r\n`,
  `x: ${"y".repeat(3000)}\r\n`,
);
/** Text that a parser may mistake for the start of another request, or may ignore. */
const broken = fc.constantFrom(
  `GE: ${SMUGGLED_ROUTE} HTTP/1.1\r\nhost: e\r\ncontent-length: 30\r\n`,
  `ab: ${SMUGGLED_ROUTE} HTTP/1.1\r\nhost: e\r\ntransfer-encoding: chunked\r\n`,
  "content-length: 5\r\n",
  "transfer-encoding: chunked\r\n",
  "x: \x07\r\n",
  "x: \0\r\n",
  "x\r\n",
  " x: y\r\n",
  "x: y\n",
  SMUGGLED.slice(0, -2),
);
const brokenSize = fc.constantFrom(
  "g",
  "-2",
  "0x2",
  "+2",
  " 2",
  "",
  "2 2",
  "ffffffffffffffff2",
  "100000002",
  "{}",
);

const parts = (data: string, cuts: readonly number[]): string[] => {
  const ends = [...new Set(cuts.map((cut) => Math.ceil(cut * data.length)))].toSorted((a, b) => a - b);
  return [...ends, data.length]
    .map((end, index, all) => data.slice(index === 0 ? 0 : all[index - 1], end))
    .filter((part) => part !== "");
};

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const rarely = <T>(arbitrary: fc.Arbitrary<T>, without: T, weight = 3): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: fc.constant(without) }, { weight: 1, arbitrary });

/** Generates chunked requests that all carry `data`, so the right answer is known. */
export function chunkedRequest(data: string): fc.Arbitrary<ChunkedRequest> {
  return fc
    .record({
      cuts: fc.array(unit, { maxLength: 5 }),
      forms: fc.array(sizeForm, { minLength: 8, maxLength: 8 }),
      extensions: rarely(fc.array(rarely(extension, "", 1), { minLength: 8, maxLength: 8 }), []),
      trailers: rarely(fc.array(trailer, { maxLength: 3 }), [], 1),
      fault: rarely(
        fc.oneof(
          fc.record({ kind: fc.constant("trailer" as const), text: broken }),
          fc.record({ kind: fc.constant("size" as const), text: brokenSize }),
          fc.record({
            kind: fc.constant("end" as const),
            text: fc.constantFrom("\n", "\r", "", "XX", "\r\r\n"),
          }),
        ),
        null,
        4,
      ),
      isPipelined: rarely(fc.constant(true), false),
      splits: rarely(fc.array(unit, { minLength: 1, maxLength: 3 }), []),
    })
    .map(({ cuts, forms, extensions, trailers, fault, isPipelined, splits }) => {
      const chunks = parts(data, cuts);
      const lines = chunks.map((chunk, index) => {
        const isFaulty = index === chunks.length - 1;
        const digits =
          isFaulty && fault?.kind === "size" ? fault.text : size(chunk.length, forms[index] as SizeForm);
        const end = isFaulty && fault?.kind === "end" ? fault.text : "\r\n";
        return `${digits}${extensions[index] ?? ""}\r\n${chunk}${end}`;
      });
      const last = `${size(0, forms[7] as SizeForm)}${extensions[7] ?? ""}\r\n`;
      const faulty = fault?.kind === "trailer" ? fault.text : "";
      return {
        data,
        wire: `${lines.join("")}${last}${trailers.join("")}${faulty}\r\n${isPipelined ? SMUGGLED : ""}`,
        isLegal: fault === null,
        isPipelined,
        isPlain: !isPipelined && trailers.length === 0 && extensions.every((text) => text === ""),
        splits,
      };
    });
}

/** Splits `text` into packets at the request's positions. */
export const inPackets = (text: string, { splits }: ChunkedRequest): string[] => parts(text, splits);
