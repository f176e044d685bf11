import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { ownSecretKey } from "../../../../src/platform/node/secret-key.js";
import { createSecretBox } from "../../../../src/platform/node/secret-box.js";
import { temporaryDir } from "../../../support/postgres/postgres.js";

describe("HOOK-14: secrets are encrypted at rest", () => {
  const box = createSecretBox("k".repeat(32));

  it("come back with the same key and for the same merchant only", () => {
    const sealed = box.seal("whsec_x", "one");
    assert.equal(box.open(sealed, "one"), "whsec_x");
    assert.equal(createSecretBox("k".repeat(32)).open(sealed, "one"), "whsec_x");
    assert.equal(box.open(sealed, "two"), null);
    assert.equal(createSecretBox("j".repeat(32)).open(sealed, "one"), null);
  });

  it("are sealed differently each time, and a changed byte anywhere keeps them closed", () => {
    const sealed = box.seal("whsec_x", "one");
    assert.notDeepEqual(sealed, box.seal("whsec_x", "one"));
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      assert.equal(box.open(changed, "one"), null);
      assert.equal(box.open(sealed.subarray(0, at), "one"), null);
    }
  });

  it("the key made in DATA_DIR has mode 0600 and stays the same", async () => {
    const dir = await temporaryDir();
    const key = await ownSecretKey(dir);
    assert.equal(await ownSecretKey(dir), key);
    assert.equal(Buffer.from(key, "base64").length, 32);
    const path = join(dir, "secret-key");
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await readFile(path, "utf8")).trim(), key);
    assert.notEqual(await ownSecretKey(await temporaryDir()), key);
  });
});
