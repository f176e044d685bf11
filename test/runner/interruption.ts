/** The exit codes of a shell: 128 plus the signal's number. */
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
const EXIT_CODE_OF_CLOSED_PIPE = 1;

export interface Interruption {
  signal: AbortSignal;
  /** Undefined until the run is asked to end. */
  exitCode(): number | undefined;
}

/**
 * Turns Ctrl-C, SIGTERM, a lost terminal and a closed output pipe (`npm test | head -1`) into requests to end the run.
 * The run first stops what it has started. Only the first request counts, because a terminal's signal arrives twice:
 * through the process group, and again from npm.
 */
export function watchForInterruption(): Interruption {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const interrupt = (code: number, reason: string): void => {
    if (exitCode !== undefined) return;
    exitCode = code;
    process.stderr.write(`${reason}: stopping what this run has started\n`);
    controller.abort();
  };
  for (const [signal, code] of Object.entries(EXIT_CODES))
    process.on(signal, () => interrupt(code, `interrupted by ${signal}`));
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", () => interrupt(EXIT_CODE_OF_CLOSED_PIPE, "nobody reads the output any more"));
  return { signal: controller.signal, exitCode: () => exitCode };
}
