import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ofTheImage, type BillOfMaterials } from "./bill-of-materials.js";

/** `npm run --silent sbom`: CycloneDX 1.5 on stdout, from package-lock.json alone, without a network. */
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const { name } = JSON.parse(readFileSync(`${ROOT}/package.json`, "utf8")) as { name: string };
const args = ["sbom", "--sbom-format=cyclonedx", "--package-lock-only", "--offline"];
const all = execFileSync("npm", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 64 * 2 ** 20 });
process.stdout.write(`${JSON.stringify(ofTheImage(JSON.parse(all) as BillOfMaterials, name), null, 2)}\n`);
