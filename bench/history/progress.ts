import cliProgress from "cli-progress";

export interface Progress {
  update(done: number): void;
  stop(): void;
}

/** Shows a progress bar on stderr, if that is a terminal. */
export function startProgress(label: string, total: number): Progress {
  const bar = new cliProgress.SingleBar({
    format: `${label} {bar} {percentage}%  {value}/{total}  {eta_formatted} left`,
    clearOnComplete: true,
    hideCursor: true,
  });
  bar.start(total, 0);
  return { update: (done) => bar.update(done), stop: () => bar.stop() };
}
