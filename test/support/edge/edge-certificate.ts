import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface EdgeCertificate {
  /** The file with certificate and key together, as HAProxy reads them. */
  file: string;
  /** The certificate as PEM. A client should trust no other. */
  certificate: string;
  /** The file with the certificate only. */
  certificateFile: string;
}

/** Creates a self-signed certificate for localhost in `dir`. */
export async function createEdgeCertificate(dir: string): Promise<EdgeCertificate> {
  const [key, certificateFile, file] = [
    join(dir, "key.pem"),
    join(dir, "certificate.pem"),
    join(dir, "edge.pem"),
  ];
  const made = spawnSync(
    "openssl",
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout ${key} -out ${certificateFile}`.split(
      " ",
    ),
    { encoding: "utf8" },
  );
  assert.equal(made.status, 0, made.stderr);
  const certificate = await readFile(certificateFile, "utf8");
  await writeFile(file, certificate + (await readFile(key, "utf8")), { mode: 0o600 });
  return { file, certificate, certificateFile };
}
