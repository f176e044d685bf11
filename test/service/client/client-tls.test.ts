import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { temporaryDir } from "../../support/postgres/postgres.js";
import { decisionReply } from "../../support/http/scripted-server.js";

const CHECKOUT = fileURLToPath(new URL("../../../examples/checkout.js", import.meta.url));
const run = promisify(execFile);
const openssl = (args: readonly string[]) => spawnSync("openssl", args, { encoding: "utf8" });
const skip = openssl(["version"]).error === undefined ? false : "openssl is not installed here";

const servers: Server[] = [];
after(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

/** Starts a TLS server with its own certificate for localhost. Resolves to its URL and the certificate's file. */
async function startTlsServer(): Promise<{ url: string; certificate: string }> {
  const dir = await temporaryDir();
  const [key, certificate] = [join(dir, "key.pem"), join(dir, "certificate.pem")];
  const made = openssl(
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout ${key} -out ${certificate}`.split(
      " ",
    ),
  );
  assert.equal(made.status, 0, made.stderr);
  const server = createServer(
    { key: await readFile(key), cert: await readFile(certificate) },
    (request, response) => {
      request.resume();
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(request.url === "/v1/decision" ? decisionReply() : {}));
    },
  );
  servers.push(server);
  server.listen(0, "localhost");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  return { url: `https://localhost:${address.port}`, certificate };
}

describe("client: over TLS", () => {
  it("decides if the certificate is trusted, and falls back if it is not", { skip }, async () => {
    const { url, certificate } = await startTlsServer();
    const env = { ...process.env, PAYINFERENCE_URL: url, PAYINFERENCE_KEY: "pi_test_key" };
    const untrusted = await run(process.execPath, [CHECKOUT], { env });
    assert.equal(untrusted.stdout, "approved with provider_1, decided locally\n");
    let printed = "";
    // On a busy machine the first handshake of a process may exceed the hard time limit.
    for (let attempt = 0; attempt < 10 && !printed.includes("reported"); attempt++) {
      const trusting = { ...env, NODE_EXTRA_CA_CERTS: certificate };
      printed = (await run(process.execPath, [CHECKOUT], { env: trusting })).stdout;
    }
    assert.equal(printed, "approved with provider_2, reported\n");
  });
});
