import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { temporaryDir } from "../postgres/postgres.js";

/**
 * Sets the edge's nodes through HAProxy's runtime API. In a deployment the name server tells the edge their addresses.
 */
export interface EdgeControl {
  /** HAProxy must read this file after the edge's own configuration. */
  file: string;
  /** Makes these addresses the edge's only nodes, in both of its backends. */
  setNodes(urls: readonly string[]): Promise<void>;
  /** For each node: the number of requests it was given, and whether the edge finds it ready. */
  nodes(): Promise<{ requests: number; isReady: boolean }[]>;
}

/** The backends in deploy/haproxy/haproxy.cfg. */
const BACKENDS = ["nodes", "living_nodes"] as const;
const SERVERS = 16;

/** Sends commands to the runtime API on a unix socket, and resolves to their answers. */
export async function sayTo(socketPath: string, commands: readonly string[]): Promise<string> {
  const socket = connect(socketPath);
  let answer = "";
  socket.setEncoding("utf8").on("data", (text: string) => (answer += text));
  socket.end(`${commands.join(";")}\n`);
  await once(socket, "close");
  return answer;
}

export async function createEdgeControl(): Promise<EdgeControl> {
  const dir = await temporaryDir();
  const [file, socketPath] = [join(dir, "control.cfg"), join(dir, "control.sock")];
  await writeFile(file, `global\n    stats socket ${socketPath} mode 600 level admin\n`);

  const say = (commands: readonly string[]): Promise<string> => sayTo(socketPath, commands);
  let count = 0;

  return {
    file,
    async setNodes(urls) {
      count = urls.length;
      const commands: string[] = [];
      for (const backend of BACKENDS) {
        for (let server = 1; server <= SERVERS; server++) {
          const url = urls[server - 1];
          const name = `${backend}/node${server}`;
          if (url === undefined) commands.push(`set server ${name} state maint`);
          else commands.push(`set server ${name} addr ${new URL(url).hostname} port ${new URL(url).port}`);
        }
      }
      const answer = await say(commands);
      assert.doesNotMatch(answer, /no such|unknown|invalid|can't|permission/i, answer);
    },
    async nodes() {
      const [head = "", ...lines] = (await say(["show stat"])).replace(/^# /, "").trim().split("\n");
      const names = head.split(",");
      const rows = lines.map((line) => new Map(line.split(",").map((cell, at) => [names[at], cell])));
      return Array.from({ length: count }, (_, index) => {
        const own = rows.filter((row) => row.get("svname") === `node${index + 1}`);
        const ofBackend = (name: string) => own.find((row) => row.get("pxname") === name);
        return {
          requests: own.reduce((sum, row) => sum + Number(row.get("stot")), 0),
          isReady: ofBackend("nodes")?.get("status") === "UP",
        };
      });
    },
  };
}
