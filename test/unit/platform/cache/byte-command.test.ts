import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Command } from "ioredis";
import { ByteCommand, CommandMemory } from "../../../../src/platform/cache/byte-command.js";

const socket = {};
const bytesOf = (command: Command): Buffer => Buffer.from(command.toWritable(socket));
const memoryOf = (command: Command): ArrayBufferLike => (command.toWritable(socket) as Buffer).buffer;
const large = (): Buffer => Buffer.alloc(50_000, 7);

describe("a command with bytes", () => {
  const argument = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  );

  it("is written as ioredis writes it, in memory that was used before", () => {
    const memory = new CommandMemory();
    fc.assert(
      fc.property(fc.array(argument, { maxLength: 6 }), (args) => {
        const command = new ByteCommand("evalsha", [...args, large()], memory);
        const plain = new Command("evalsha", [...args, large()]);
        assert.ok(bytesOf(command).equals(bytesOf(plain)));
        memory.giveBack(command);
      }),
      { numRuns: 200 },
    );
  });

  it("uses the memory of the one before once that was answered, and never while it may still be sent", () => {
    const memory = new CommandMemory();
    const [first, second, third, fourth] = [1, 2, 3, 4].map(
      (n) => new ByteCommand(`command_${n}`, [large()], memory),
    ) as [ByteCommand, ByteCommand, ByteCommand, ByteCommand];
    const used = memoryOf(first);
    assert.notEqual(memoryOf(second), used, "the first has no answer yet");
    memory.giveBack(second);
    assert.notEqual(memoryOf(second), used, "only the first can give its memory back");
    memory.giveBack(first);
    assert.equal(memoryOf(third), used);
    memory.abandon(third);
    assert.notEqual(memoryOf(fourth), used, "the third failed, and its bytes may still leave");
  });
});
