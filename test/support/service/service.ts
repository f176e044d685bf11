import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { closeLater } from "../closing.js";
import { assertDocumented } from "../http/documented.js";
import { sendKept } from "../http/kept-request.js";
import { startNode, type RunningService, type TestSettings } from "./node.js";
import { IS_TWO_NODES } from "../two-nodes-mode.js";

export { eventually } from "../waiting/eventually.js";
export { AS_DELIVERED, PROBED_AS_DELIVERED, type RunningService } from "./node.js";

/**
 * Starts the service for a test file. In the two-node run it is two nodes behind the edge, and the file cannot see the
 * difference.
 */
export async function startTestService(env: TestSettings = {}): Promise<RunningService> {
  // Only the two-node run loads this module. The import is not at the top, because the suites of files that wait during
  // loading would be mixed.
  return IS_TWO_NODES ? (await import("./two-nodes.js")).startTwoNodes(env) : startNode(env);
}

/**
 * Repeats `ask` for up to 30 s while the answer is 503. A query to PostgreSQL has 1.5 s, which can be too little on a
 * starved host. Any other answer is returned at once.
 */
export async function untilAnswered<R extends { status: number }>(ask: () => Promise<R>): Promise<R> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const reply = await ask();
    if (reply.status !== 503 || performance.now() > deadline) return reply;
    await sleep(100);
  }
}

interface Reads {
  sent: number;
  refused: number;
}

/** The reads of the running test file, counted. */
let reads: Reads | null = null;

/** A slow host may cause this many refused reads in a file. More refusals are the service's fault. */
const mayBeRefused = ({ sent }: Reads): number => 5 + sent / 50;

function countReads(): Reads {
  if (reads !== null) return reads;
  const begun: Reads = { sent: 0, refused: 0 };
  closeLater(() => {
    reads = null;
    assert.ok(
      begun.refused <= mayBeRefused(begun),
      `${begun.refused} of ${begun.sent} reads were 503 where PostgreSQL was there`,
    );
  });
  return (reads = begun);
}

/**
 * Sends a read that needs PostgreSQL until it is answered. Refusals are counted, because repeating would hide a service
 * that refuses now and then. A file with many refusals fails.
 */
export function sendRead(...request: Parameters<typeof send>): Promise<Reply> {
  const counted = countReads();
  counted.sent++;
  return untilAnswered(async () => {
    const reply = await send(...request);
    if (reply.status === 503) counted.refused++;
    return reply;
  });
}

/** A decision request for the demo merchant that any deployment answers. `changes` replaces top-level fields. */
export function decisionBody(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    merchant_id: "demo_merchant",
    order_id: "order_1",
    transaction: { amount: 129_900, currency: "USD", country: "US", payment_method: "card" },
    available_providers: ["provider_1", "provider_2"],
    ...changes,
  };
}

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  json: Record<string, unknown>;
}

/** A node acknowledges these requests before PostgreSQL has them. DUR-8 is a promise of one node only. */
const APPENDS = /^POST \/v1\/(?:decision|outcomes)$/;

/** Sends one JSON request with the service's demo key. The reply is checked against the service's own document. */
export async function send(
  service: RunningService,
  method: string,
  path: string,
  options: { body?: unknown; headers?: Readonly<Record<string, string>>; key?: string | null } = {},
): Promise<Reply> {
  const { body, headers = {}, key = service.key } = options;
  const isAppended = APPENDS.test(`${method} ${path}`);
  if (!isAppended && !path.startsWith("/v1/provider-health")) await service.sharedLog?.stored();
  const {
    status,
    headers: replyHeaders,
    text,
  } = await sendKept(service.url + path, {
    method,
    headers: {
      ...(key === null ? {} : { "x-api-key": key }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  if (isAppended && status === 200) service.sharedLog?.acknowledged();
  const contentType = replyHeaders.get("content-type");
  const replied = { status, contentType, text, headers: [...replyHeaders.keys()] };
  await assertDocumented(service.url + path, method, replied);
  const isJson = contentType?.startsWith("application/json") === true && text !== "";
  return {
    status,
    headers: replyHeaders,
    text,
    json: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}
