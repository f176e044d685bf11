import { once } from "node:events";
import { createServer } from "node:http";
import { closeLater } from "../closing.js";

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  kind: number;
  startNs: bigint;
  endNs: bigint;
  attributes: Record<string, unknown>;
  failed: boolean;
}

export interface TraceCollector {
  url: string;
  spans: CollectedSpan[];
  /** The text of every body received. */
  text(): string;
  requests(): number;
}

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number };
}
interface OtlpBody {
  resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[];
}

/** Acts as an OpenTelemetry collector for OTLP over HTTP in JSON. It answers every request with `status`. */
export async function startTraceCollector(status = 200): Promise<TraceCollector> {
  const bodies: string[] = [];
  const spans: CollectedSpan[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      bodies.push(body);
      const isExport = request.method === "POST" && request.url === "/otlp/v1/traces";
      if (isExport) spans.push(...readSpans(JSON.parse(body) as OtlpBody));
      response.writeHead(isExport ? status : 404, { "content-type": "application/json" }).end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closeLater(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}/otlp/`,
    spans,
    text: () => bodies.join("\n"),
    requests: () => bodies.length,
  };
}

function readSpans({ resourceSpans }: OtlpBody): CollectedSpan[] {
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map(({ parentSpanId, startTimeUnixNano, endTimeUnixNano, attributes, status, ...span }) => ({
      ...span,
      parentSpanId,
      startNs: BigInt(startTimeUnixNano),
      endNs: BigInt(endTimeUnixNano),
      attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)])),
      failed: status.code === 2,
    }));
}

function plain(value: Record<string, unknown>): unknown {
  const list = value["arrayValue"] as { values: Record<string, unknown>[] } | undefined;
  if (list !== undefined) return list.values.map(plain);
  return value["stringValue"] ?? value["doubleValue"] ?? Number(value["intValue"]);
}
