import type { Services } from '#server/services.ts';

export interface JobTools {
  seal: () => Promise<number>;
  log: (line: Record<string, unknown>) => void;
}

/** A piece of work the server repeats. It never runs twice at once, and what fails is logged and tried again next time. */
interface Recurring {
  name: string;
  everySeconds: number;
  run: (services: Services) => Promise<unknown>;
}

/** Work by time: one line per piece. Each is safe to run on several nodes at once. */
const recurring = (tools: JobTools): Recurring[] => [{ name: 'seal the audit trail', everySeconds: 1, run: tools.seal }];

/** Starts the recurring work; `stop` waits for what is under way. */
export function startJobs(services: Services, tools: JobTools): { stop: () => Promise<void> } {
  const running = new Set<Promise<unknown>>();
  const timers = recurring(tools).map((job) => {
    let busy = false;
    return setInterval(() => {
      if (busy) return;
      busy = true;
      const work = job
        .run(services)
        .catch((error: unknown) => tools.log({ level: 'error', job: job.name, error: error instanceof Error ? error.stack : String(error) }))
        .finally(() => {
          busy = false;
          running.delete(work);
        });
      running.add(work);
    }, job.everySeconds * 1000);
  });
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running);
    },
  };
}
