import { StartError } from '#server/startError.ts';

/** What runs until the process is told to end. */
export interface Running {
  /** Finishes what was begun and gives everything free. */
  stop(): Promise<void>;
  /** Resolves when it cannot go on, with the reason. */
  readonly failed: Promise<Error>;
}

/** How long stopping may take before the process ends regardless. */
const STOP_LIMIT_MS = 25_000;

/**
 * Runs a server as this process: starts it, stops it on Ctrl-C or SIGTERM (also while it is still starting), and ends with 0 after a
 * clean stop, 1 after a failure. A second signal ends at once. Reasons meant for the operator are printed without a stack trace.
 */
export async function runProcess(start: () => Promise<Running>): Promise<void> {
  const stopSignal = new Promise<null>((done) => {
    let count = 0;
    const onSignal = (): void => {
      done(null);
      // Impatience: whoever presses Ctrl-C again wants out now. What was acknowledged is safe in any case.
      if ((count += 1) === 2) process.exit(130);
    };
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal);
    // `npm start` is gone: nobody would know that this server still runs.
    process.once('disconnect', () => done(null));
  });
  process.on('uncaughtException', (error) => {
    report(error);
    process.exit(1);
  });

  let failure: Error | null;
  try {
    const running = await start();
    failure = await Promise.race([stopSignal, running.failed]);
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    if (!failure) console.log('\n正在停止… / stopping');
    await running.stop();
    if (!failure) console.log('已停止。 / stopped.');
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
  }
  if (failure) report(failure);
  process.exit(failure ? 1 : 0);
}

function report(error: unknown): void {
  console.error(error instanceof StartError ? `\n${error.message}` : error);
}
