import { Command } from "ioredis";

/**
 * Memory in which one command after another is written, so that a command of 50 KB needs no new memory. New memory for
 * each made the garbage collector run twice as often.
 */
export class CommandMemory {
  #bytes = Buffer.alloc(0);
  #borrower: Command | null = null;

  /** Returns at least `size` bytes, or null while another command has the memory. */
  lend(size: number, borrower: Command): Buffer | null {
    if (this.#borrower !== null) return null;
    this.#borrower = borrower;
    if (size > this.#bytes.length) this.#bytes = Buffer.allocUnsafeSlow(2 * size);
    return this.#bytes;
  }

  /** Call this when a command was answered, so that the socket has read all of its bytes. */
  giveBack(borrower: Command): void {
    if (this.#borrower === borrower) this.#borrower = null;
  }

  /** Call this when a command failed. The socket may still read its bytes, so the next command gets other memory. */
  abandon(borrower: Command): void {
    if (this.#borrower !== borrower) return;
    this.#bytes = Buffer.alloc(0);
    this.#borrower = null;
  }
}

/** An upper bound of the bytes that the protocol adds to a command's name or argument: `$`, a length and two line ends. */
const FRAME_BYTES_MAX = 32;

/** A command with arguments of bytes. It is written once, into memory that the next command uses again. */
export class ByteCommand extends Command {
  readonly #memory: CommandMemory;
  readonly #parts: readonly (string | Buffer)[];

  constructor(name: string, args: readonly (string | Buffer)[], memory: CommandMemory) {
    super(name, [...args], { replyEncoding: "utf8" });
    this.#memory = memory;
    this.#parts = [name, ...args];
  }

  /** The command in RESP, the protocol of Valkey and Redis: an array of bulk strings. */
  override toWritable(socket: object): string | Buffer {
    const sizes = this.#parts.map((part) => Buffer.byteLength(part));
    const size = sizes.reduce((sum, one) => sum + one + FRAME_BYTES_MAX, FRAME_BYTES_MAX);
    const memory = this.#memory.lend(size, this);
    if (memory === null) return super.toWritable(socket);
    let at = memory.write(`*${this.#parts.length}\r\n`, "latin1");
    for (const [index, part] of this.#parts.entries()) {
      at += memory.write(`$${sizes[index]}\r\n`, at, "latin1");
      at += typeof part === "string" ? memory.write(part, at) : part.copy(memory, at);
      at += memory.write("\r\n", at, "latin1");
    }
    return memory.subarray(0, at);
  }
}
