import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createLatencyHistogram, type LatencyHistogram } from "./client/latency-histogram.js";
import type { Closer } from "./harness/bench-processes.js";
import { startService, type BenchService } from "./harness/bench-service.js";
import { markdownTable } from "./harness/bench-table.js";
import type { FloorResult } from "./harness/floor-result.js";
import { TimeLimitError } from "./harness/quiet-host.js";
import { print, runBench } from "./harness/run-bench.js";
import { call } from "./harness/service-call.js";

const HELP = `npm run bench:events -- [--seconds 10] [--rate 1] [--endpoints 20] [--hanging 10]

So many held payments a second are told to endpoints that answer at once, alone and then beside endpoints that never
answer. Each event is timed from the payment's request to its arrival. Exits 1 when the p99 beside them is over 2 s or
an event is missing, 2 when the host is not quiet enough to judge.
`;

/** The promised p99 of the endpoints beside one that hangs. */
const P99_MS_MAX = 2000;
const ARRIVAL_MS_MAX = 30_000;
const POLL_MS = 20;
const HANGS = "/hangs";
/**
 * The fraction of the golden ratio spreads payments evenly within their interval. Payments at even times would all wait
 * equally long for the sender's next look.
 */
const SPREAD = 0.618;

/** Gives the orders of different runs different names. */
let runs = 0;

interface Plan {
  seconds: number;
  ratePerSecond: number;
  endpoints: number;
  hanging: number;
}

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    rate: { type: "string", default: "1" },
    endpoints: { type: "string", default: "20" },
    hanging: { type: "string", default: "10" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else
  await runBench("bench:events", (closers) =>
    measure(closers, {
      seconds: Number(values.seconds),
      ratePerSecond: Number(values.rate),
      endpoints: Number(values.endpoints),
      hanging: Number(values.hanging),
    }),
  );

async function measure(closers: Closer[], plan: Plan): Promise<FloorResult[]> {
  const service = await startService(closers, {
    SECRET_KEY: "bench".padEnd(64, "0"),
    EVENTS_ALLOW_PRIVATE: "1",
  });
  const receiver = await startReceiver(closers);
  const token = await signIn(service);
  await holdEverything(service);
  for (let at = 0; at < plan.endpoints; at++) await addEndpoint(service, token, `${receiver.url}/${at}`);
  const tell = (): Promise<Told> => tellHolds(service, receiver, plan);
  await tellHolds(service, receiver, { ...plan, seconds: 2 });
  const alone = await tell();
  for (let at = 0; at < plan.hanging; at++) await addEndpoint(service, token, receiver.url + HANGS);
  await tellHolds(service, receiver, { ...plan, seconds: 1 });
  await until(() => receiver.hanging() >= plan.hanging, "the endpoints that hang were not asked");
  const beside = await tell();
  print(
    markdownTable(
      ["events", "p50 ms", "p99 ms", "slowest", "arrived"],
      [
        ["alone", ...figuresOf(alone)],
        [`beside ${plan.hanging} that hang`, ...figuresOf(beside)],
      ],
    ),
  );
  const p99Ms = beside.latency.percentileMs(99);
  return [
    { passed: p99Ms <= P99_MS_MAX, line: `p99 beside them is ${p99Ms.toFixed(0)} ms, at most ${P99_MS_MAX}` },
    {
      passed: beside.latency.count === beside.expected,
      line: `${beside.latency.count} of ${beside.expected} events arrived once`,
    },
  ];
}

interface Told {
  latency: LatencyHistogram;
  expected: number;
}

function figuresOf({ latency, expected }: Told): string[] {
  const [p50Ms, p99Ms] = [latency.percentileMs(50), latency.percentileMs(99)];
  return [...[p50Ms, p99Ms, latency.maxMs].map((ms) => ms.toFixed(0)), `${latency.count} of ${expected}`];
}

interface Receiver {
  url: string;
  /** Called with the payment's order for each event of a held payment that arrives at an answering endpoint. */
  onEvent: (orderId: string) => void;
  /** The number of requests that were never answered. */
  hanging(): number;
}

/** Answers every request at once, but never those to `HANGS`. */
async function startReceiver(closers: Closer[]): Promise<Receiver> {
  let hanging = 0;
  const server: Server = createServer((request, response) => {
    if (request.url === HANGS) {
      hanging++;
      request.resume();
      return;
    }
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      response.end();
      const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { order_id: string } };
      receiver.onEvent(data.order_id);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const receiver: Receiver = {
    url: `http://127.0.0.1:${address.port}`,
    onEvent: () => undefined,
    hanging: () => hanging,
  };
  return receiver;
}

/**
 * Makes decisions that hold payments, at the plan's rate. Resolves once each event has arrived at every endpoint, or is
 * given up.
 */
async function tellHolds(
  service: BenchService,
  receiver: Receiver,
  { seconds, ratePerSecond, endpoints }: Plan,
): Promise<Told> {
  const prefix = `run${runs++}.`;
  const latency = createLatencyHistogram();
  const dueMs: number[] = [];
  receiver.onEvent = (orderId) => {
    const beganMs = orderId.startsWith(prefix) ? dueMs[Number(orderId.slice(prefix.length))] : undefined;
    if (beganMs !== undefined) latency.record(performance.now() - beganMs);
  };
  const beganMs = performance.now();
  const orders = seconds * ratePerSecond;
  for (let order = 0; order < orders; order++) {
    dueMs.push(beganMs + ((order + ((order * SPREAD) % 1)) * 1000) / ratePerSecond);
    await sleep(Math.max(0, (dueMs[order] as number) - performance.now()));
    await decide(service, prefix + order);
  }
  const expected = orders * endpoints;
  await until(() => latency.count >= expected, "").catch(() => undefined);
  return { latency, expected };
}

async function decide(service: BenchService, orderId: string): Promise<string> {
  const response = await fetch(service.url, {
    method: "POST",
    headers: { "x-api-key": service.key, "content-type": "application/json" },
    body: JSON.stringify({
      merchant_id: "demo_merchant",
      order_id: orderId,
      transaction: { amount: 129_900, currency: "USD", country: "US", payment_method: "card" },
      available_providers: ["provider_1", "provider_2"],
    }),
  });
  return ((await response.json()) as { action: string }).action;
}

async function signIn(service: BenchService): Promise<string> {
  const { email, password } = JSON.parse(await readFile(join(service.dataDir, "demo.json"), "utf8")) as {
    email: string;
    password: string;
  };
  const login = { email, password };
  const { session } = await call<{ session: { token: string } }>(
    service,
    null,
    "POST",
    "/v1/auth/login",
    login,
  );
  return session.token;
}

/** Publishes a policy that holds each payment in dollars. Resolves once the service decides by it. */
async function holdEverything(service: BenchService): Promise<void> {
  const rules = [{ name: "All", when: { currency_in: ["USD"] }, then: { type: "hold" } }];
  const response = await fetch(new URL("/v1/policies", service.url), {
    method: "POST",
    headers: { "x-api-key": service.key, "content-type": "application/json" },
    body: JSON.stringify({ merchant_id: "demo_merchant", name: "Holds", rules, publish: true }),
  });
  if (!response.ok) throw new Error(`the policy was answered ${response.status}: ${await response.text()}`);
  const giveUpMs = performance.now() + ARRIVAL_MS_MAX;
  while ((await decide(service, "first")) !== "hold") {
    if (performance.now() > giveUpMs) throw new TimeLimitError("no payment is held");
    await sleep(POLL_MS);
  }
}

async function addEndpoint(service: BenchService, token: string, url: string): Promise<void> {
  await call(service, token, "POST", "/v1/event-endpoints", { url, types: ["decision.held"] });
}

async function until(isTrue: () => boolean, otherwise: string): Promise<void> {
  const giveUpMs = performance.now() + ARRIVAL_MS_MAX;
  while (!isTrue()) {
    if (performance.now() > giveUpMs) throw new TimeLimitError(otherwise);
    await sleep(POLL_MS);
  }
}
