import { platformCode } from '#domain/tenant/tenantTree.ts';
import type { Services } from '#server/dispatch/services.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { notifyOfLapsedChallenges } from '#features/account/factor.server.ts';
import { notifyOfExpiringCounts } from '#features/assesscount/expiry/expiryNotices.ts';
import { expireCounts } from '#features/assesscount/expiry/expireCounts.ts';
import { runConsentJobs } from '#features/consent/withdrawal/consentJobs.ts';
import { renderReports } from '#features/report/renderReport.ts';
import { cleanupFiles } from '#features/file/cleanup.ts';
import { judgeAllOpenSheets } from '#features/respond/review/judgeOpenSheets.ts';
import { endDueTasks } from '#features/task/closing.server.ts';
import { deliverMessages } from '#features/warning/alerts/deliver.ts';
import { escalateOverdue } from '#features/warning/alerts/escalate.ts';
import { handleEndingContracts } from '#features/warning/handover/contractEnd.ts';
import { reconcileDue } from '#features/warning/reconcile/reconcile.ts';
import { alarmSilence } from '#features/warning/reconcile/silence.ts';

/** Functions that the recurring jobs need besides the services. */
export interface JobTools {
  /** Chains the new audit rows; returns their number. */
  seal: () => Promise<number>;
  log: (line: Record<string, unknown>) => void;
}

/** A job that the server repeats. It never runs twice at once. The server logs a failure and tries again next time. */
interface Recurring {
  name: string;
  everySeconds: number;
  run: (services: Services) => Promise<unknown>;
}

/** The recurring jobs. Each is safe to run on several nodes at once. */
const recurring = (tools: JobTools): Recurring[] => [
  { name: 'chain the audit log', everySeconds: 1, run: tools.seal },
  {
    name: 'end tasks whose window is over',
    everySeconds: 60,
    run: ({ pools }) => runAsSystem(pools, platformCode, (scope) => endDueTasks(scope, new Date())),
  },
  {
    name: 'judge sheets that were left open',
    everySeconds: 60,
    run: async (services) => {
      const { failed } = await judgeAllOpenSheets(services, new Date());
      for (const failure of failed) tools.log({ level: 'error', job: 'judge sheets that were left open', ...failure });
    },
  },
  {
    name: 'escalate overdue cases',
    everySeconds: 60,
    run: async (services) => {
      const { failed } = await escalateOverdue(services, new Date());
      for (const failure of failed) tools.log({ level: 'error', job: 'escalate overdue cases', ...failure });
    },
  },
  { name: 'deliver short messages and calls', everySeconds: 15, run: (services) => deliverMessages(services) },
  {
    name: 'notify of sign-ins that stopped before the second factor',
    everySeconds: 30,
    run: (services) => notifyOfLapsedChallenges(services, new Date()),
  },
  {
    name: 'end codes, authorisations and counts whose last day is over',
    everySeconds: 60,
    run: ({ pools }) => expireCounts(pools, new Date()),
  },
  {
    name: 'notify of counts that expire soon',
    everySeconds: 600,
    run: ({ pools }) => notifyOfExpiringCounts(pools, new Date()),
  },
  {
    name: 'chase consents of guardians, carry out withdrawals',
    everySeconds: 600,
    run: (services) => runConsentJobs(services, new Date()),
  },
  {
    name: 'announce the end of contracts and pass the cases on',
    everySeconds: 600,
    run: ({ pools }) => handleEndingContracts(pools, new Date()),
  },
  { name: 'write the texts of new reports', everySeconds: 10, run: (services) => renderReports(services) },
  { name: 'delete expired files', everySeconds: 600, run: (services) => cleanupFiles(services, new Date()) },
  {
    name: 'compare answers, log and cases',
    everySeconds: 60,
    run: async (services) => {
      const { failed } = await reconcileDue(services, new Date());
      for (const failure of failed) tools.log({ level: 'error', job: 'compare answers, log and cases', ...failure });
    },
  },
  // Not part of the job above: a job that has died cannot say so.
  {
    name: 'alarm when the comparison is silent',
    everySeconds: 60,
    run: (services) => alarmSilence(services, new Date()),
  },
];

/** Starts the recurring jobs; `stop` waits for the jobs that are running. */
export function startJobs(services: Services, tools: JobTools): { stop: () => Promise<void> } {
  const running = new Set<Promise<unknown>>();
  const timers = recurring(tools).map((job) => {
    let busy = false;
    return setInterval(() => {
      if (busy) return;
      busy = true;
      const work = job
        .run(services)
        .catch((error: unknown) =>
          tools.log({ level: 'error', job: job.name, error: error instanceof Error ? error.stack : String(error) }),
        )
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
