/** Of a shell: 128 and the signal's number. */
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
const EXIT_CODE_OF_CLOSED_PIPE = 1;

export interface Interruption {
  signal: AbortSignal;
  /** Undefined while nobody has asked the run to end. */
  exitCode(): number | undefined;
}

/**
 * From here on, Ctrl-C, SIGTERM, a lost terminal and a reader that has gone (`npm test | head -1`) end nothing by
 * themselves: they ask the run to end, which first takes down what it has started. Only the first one counts, since a
 * terminal's signal comes twice: by the process group, and once more from npm.
 */
export function watchForInterruption(): Interruption {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const interrupt = (code: number, reason: string): void => {
    if (exitCode !== undefined) return;
    exitCode = code;
    process.stderr.write(`${reason}: what this run has started is taken down\n`);
    controller.abort();
  };
  for (const [signal, code] of Object.entries(EXIT_CODES))
    process.on(signal, () => interrupt(code, `interrupted by ${signal}`));
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", () => interrupt(EXIT_CODE_OF_CLOSED_PIPE, "nobody reads the output any more"));
  return { signal: controller.signal, exitCode: () => exitCode };
}
