import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

/** A receiver of events. `npm run build && EVENTS_SECRET=whsec_… PORT=3000 node dist/examples/receive-events.js` */
const { EVENTS_SECRET: secret = "", PORT: port = "3000" } = process.env;
type Event = { type: string; data: object };
const webhook = new Webhook(secret);
/** Use a table in production: an event may come more than once, with the same id. */
const seen = new Set<string>();

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  try {
    const event = webhook.verify(body, { ...request.headers } as Record<string, string>) as Event;
    const id = String(request.headers["webhook-id"]);
    if (!seen.has(id)) console.log(event.type, JSON.stringify(event.data));
    seen.add(id);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}

createServer((request, response) => void receive(request, response)).listen(Number(port));
