import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { Agent, request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import type { BenchService } from "./harness/bench-service.js";
import { runBesideCommand } from "./harness/beside-command.js";

const HELP = `npm run bench:login-storm -- [--rounds 7] [--seconds 5] [--rate 500] [--logins 32]

p99 of decisions at a fixed rate (open loop, timed from when each was due) alone and while so many clients log in as fast
as they are answered, by turns. Exits 1 when the storm raises it by more than 20 %, over all rounds, 2 when the host is
not quiet enough to judge.
`;

await runBesideCommand({
  name: "bench:login-storm",
  help: HELP,
  disturbers: "logins",
  count: 32,
  env: { AUTH_RATE_LIMIT_PER_MINUTE: "0" },
  disturb: startStorm,
});

/** Starts clients that log in again and again: with the right password, with a wrong one, and with an unknown name. */
async function startStorm(service: BenchService, clients: number): Promise<{ end(): Promise<number> }> {
  const demo = JSON.parse(await readFile(join(service.dataDir, "demo.json"), "utf8")) as {
    email: string;
    password: string;
  };
  const bodies = [
    demo,
    { email: demo.email, password: "a wrong password" },
    { email: "nobody@example.com", password: "any password" },
  ].map(({ email, password }) => JSON.stringify({ email, password }));
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const url = new URL("/v1/auth/login", service.url);
  let isOver = false;
  let answered = 0;
  const client = async (number: number): Promise<void> => {
    for (let at = number; !isOver; at++) {
      const headers = { "content-type": "application/json" };
      const asked = request(url, { method: "POST", agent, headers });
      asked.end(bodies[at % bodies.length]);
      const [reply] = (await once(asked, "response")) as [IncomingMessage];
      reply.resume();
      await once(reply, "end");
      if (reply.statusCode !== 200 && reply.statusCode !== 401)
        throw new Error(`a login was answered ${reply.statusCode}`);
      answered++;
    }
  };
  const running = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return {
    async end() {
      isOver = true;
      await running;
      agent.destroy();
      return answered;
    },
  };
}
