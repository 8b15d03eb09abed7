import { StartError } from '#server/startError.ts';

/** A started server. */
export interface Running {
  /** Finishes the running work and releases all resources. */
  stop(): Promise<void>;
  /** Seconds for which it goes on before it stops; 0 without it. */
  readonly drainSeconds?: number;
}

/** The time limit for stopping, after the draining; then the process ends anyway. */
const STOP_LIMIT_MS = 25_000;

/**
 * Runs a server as this process: starts it and stops it on Ctrl-C or SIGTERM, also while it is still starting.
 * The exit code is 0 after a clean stop and 1 after a failure. A second signal ends the process at once.
 * A StartError is printed without a stack trace.
 */
export async function runProcess(start: () => Promise<Running>): Promise<void> {
  const stopRequested = new Promise<void>((done) => {
    let count = 0;
    const onSignal = (): void => {
      done();
      // An operator who presses Ctrl-C again wants to end now. All acknowledged data is safe.
      if ((count += 1) === 2) process.exit(130);
    };
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal);
    // `npm start` has ended: nobody would know that this server still runs.
    process.once('disconnect', () => done());
  });
  process.on('uncaughtException', (error) => {
    report(error);
    process.exit(1);
  });

  let failure: Error | undefined;
  try {
    const running = await start();
    await stopRequested;
    setTimeout(() => process.exit(1), STOP_LIMIT_MS + (running.drainSeconds ?? 0) * 1000).unref();
    console.log('\n正在停止… / stopping');
    await running.stop();
    console.log('已停止。 / stopped.');
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
  }
  if (failure) report(failure);
  process.exit(failure ? 1 : 0);
}

function report(error: unknown): void {
  console.error(error instanceof StartError ? `\n${error.message}` : error);
}
