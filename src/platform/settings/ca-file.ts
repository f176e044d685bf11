import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { SettingsError } from "./settings-error.js";

/**
 * Reads the PEM certificates in the file that a setting names. Null if the setting is absent. Throws SettingsError with
 * one line. The start then fails, not each later connection.
 */
export async function readCaFile(setting: string, path: string | null): Promise<string | null> {
  if (path === null) return null;
  const pem = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new SettingsError(`${setting}: cannot be read (${error.code})`);
  });
  if (!holdsCertificate(pem)) throw new SettingsError(`${setting}: must name a file of PEM certificates`);
  return pem;
}

function holdsCertificate(pem: string): boolean {
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    return certificates.map((text) => new X509Certificate(text)).length > 0;
  } catch {
    return false;
  }
}
