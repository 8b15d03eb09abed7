import { shanghaiTime } from '#domain/base/calendar.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import type { Services } from '#server/dispatch/services.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { notifyOfLapsedChallenges } from '#features/account/factor.server.ts';
import { notifyOfExpiringKeys } from '#features/apikey/expiringKeys.ts';
import { notifyOfExpiringCounts } from '#features/assesscount/expiry/expiryNotices.ts';
import { runAnonymizeJobs } from '#features/anonymize/anonymizeJobs.ts';
import { keepErasures } from '#features/anonymize/keepErasures.ts';
import { expireCounts } from '#features/assesscount/expiry/expireCounts.ts';
import { writeAiTexts } from '#features/aireport/writeAiTexts.ts';
import { runConsentJobs } from '#features/consent/withdrawal/consentJobs.ts';
import { sendConsultReminders } from '#features/consult/remind/remind.ts';
import { deliverNotices } from '#features/notice/channel/deliver.ts';
import { deliverEvents } from '#features/webhook/deliver.ts';
import { endDueOrders, sendRefunds } from '#features/order/orderJobs.ts';
import { reconcileOrdersDue } from '#features/order/reconcile/reconcile.ts';
import { renderReports } from '#features/report/renderReport.ts';
import { cleanupFiles } from '#features/file/cleanup.ts';
import { publishDue } from '#features/release/publish.ts';
import { runRetention } from '#features/retention/retentionJob.ts';
import { judgeAllOpenSheets } from '#features/respond/review/judgeOpenSheets.ts';
import { countKept } from '#features/statistics/kept/countKept.ts';
import { endDueTasks } from '#features/task/closing.server.ts';
import { deliverMessages } from '#features/warning/alerts/deliver.ts';
import { escalateOverdue } from '#features/warning/alerts/escalate.ts';
import { passAllWorkOfUnable } from '#features/handover/passUnable.ts';
import { handleEndingContracts } from '#features/warning/handover/contractEnd.ts';
import { carryOutTransfers } from '#features/warning/transfer/transferJob.ts';
import { reconcileDue } from '#features/warning/reconcile/reconcile.ts';
import { alarmSilence } from '#features/warning/reconcile/silence.ts';
import { runAlone, type Leases } from '#server/nodes/leases.ts';
import { clearJobFailure, recordJobFailure } from '#features/workbench/jobFailure.queries.ts';

/** Functions that the recurring jobs need besides the services. */
export interface JobTools {
  /** Chains the new audit rows; returns their number. */
  seal: () => Promise<number>;
  /** Seals stored values that are plain or have an earlier key. */
  reseal: () => Promise<void>;
  leases: Leases;
  log: (line: Record<string, unknown>) => void;
}

/**
 * A job that the server repeats. It never runs twice at once, on this server or on another one of the same database. The server records
 * a failure and tries again next time.
 */
interface Recurring {
  /** for the log */
  name: string;
  /** for the operator's workbench */
  title: string;
  everySeconds: number;
  /** The job has a lock of its own and is too frequent for a lease. */
  hasOwnLock?: boolean;
  run: (services: Services) => Promise<unknown>;
}

/** Whether it is between 1 and 5 o'clock in China: nobody works then, and the search reads many rows. */
const isNight = (now: Date) => ['01', '02', '03', '04'].includes(shanghaiTime(now).slice(11, 13));

/** The recurring jobs. Each is also safe when a server that stood still goes on with it later. */
const recurring = (tools: JobTools): Recurring[] => [
  { name: 'chain the audit log', title: '审计日志封存', everySeconds: 1, hasOwnLock: true, run: tools.seal },
  { name: 'seal stored values', title: '已有内容加密', everySeconds: 15, run: tools.reseal },
  {
    name: 'end tasks whose window is over',
    title: '任务到期结束',
    everySeconds: 60,
    run: ({ pools }) => runAsSystem(pools, platformCode, (scope) => endDueTasks(scope, new Date())),
  },
  {
    name: 'judge sheets that were left open',
    title: '未交答卷判定',
    everySeconds: 60,
    run: async (services) => {
      const { failed } = await judgeAllOpenSheets(services, new Date());
      for (const failure of failed) tools.log({ level: 'error', job: 'judge sheets that were left open', ...failure });
    },
  },
  {
    name: 'escalate overdue cases',
    title: '预警超时督办',
    everySeconds: 60,
    run: async (services) => {
      const { failed } = await escalateOverdue(services, new Date());
      for (const failure of failed) tools.log({ level: 'error', job: 'escalate overdue cases', ...failure });
    },
  },
  {
    name: 'pass the work of staff without rights',
    title: '工作移交',
    everySeconds: 60,
    run: async (services) => {
      for (const failure of await passAllWorkOfUnable(services, new Date()))
        tools.log({ level: 'error', job: 'pass the work of staff without rights', ...failure });
    },
  },
  {
    name: 'remind of consultations',
    title: '咨询提醒',
    everySeconds: 60,
    run: async (services) => {
      for (const failure of await sendConsultReminders(services, new Date()))
        tools.log({ level: 'error', job: 'remind of consultations', ...failure });
    },
  },
  {
    name: 'deliver short messages and calls',
    title: '短信与电话提醒',
    everySeconds: 15,
    run: (services) => deliverMessages(services),
  },
  {
    name: 'send messages by mail and webhook',
    title: '邮件与系统推送',
    everySeconds: 15,
    run: (services) => deliverNotices(services, new Date()),
  },
  {
    name: 'send events to the systems of institutions',
    title: '事件推送',
    everySeconds: 5,
    run: (services) => deliverEvents(services, new Date()),
  },
  {
    name: 'notify of sign-ins that stopped before the second factor',
    title: '未完成登录提醒',
    everySeconds: 30,
    run: (services) => notifyOfLapsedChallenges(services, new Date()),
  },
  {
    name: 'end codes, authorisations and counts whose last day is over',
    title: '次数到期',
    everySeconds: 60,
    run: ({ pools }) => expireCounts(pools, new Date()),
  },
  {
    name: 'notify of counts that expire soon',
    title: '次数到期提醒',
    everySeconds: 600,
    run: ({ pools }) => notifyOfExpiringCounts(pools, new Date()),
  },
  {
    name: 'notify of API keys that end soon',
    title: '对接密钥到期提醒',
    everySeconds: 3600,
    run: ({ pools }) => notifyOfExpiringKeys(pools, new Date()),
  },
  {
    name: 'chase consents of guardians, carry out withdrawals',
    title: '监护人同意与撤回',
    everySeconds: 600,
    run: (services) => runConsentJobs(services, new Date()),
  },
  {
    name: 'end requests for an anonymization, erase what earlier ones left',
    title: '匿名化',
    everySeconds: 600,
    run: (services) => runAnonymizeJobs(services, new Date()),
  },
  {
    name: 'keep the list of erased persons outside of the database',
    title: '匿名化名单',
    everySeconds: 600,
    run: async (services) => {
      const { refused } = await keepErasures(services, new Date());
      for (const failure of refused)
        tools.log({ level: 'error', job: 'keep the list of erased persons outside of the database', ...failure });
    },
  },
  {
    name: 'erase records whose term is over',
    title: '保存期限清除',
    everySeconds: 600,
    run: async (services) => (isNight(new Date()) ? runRetention(services, new Date()) : undefined),
  },
  {
    name: 'announce the end of contracts and pass the cases on',
    title: '机构到期与移交',
    everySeconds: 600,
    run: ({ pools }) => handleEndingContracts(pools, new Date()),
  },
  {
    name: 'open linked cases of transfers and take their receipts',
    title: '平台内移交',
    everySeconds: 30,
    run: async (services) => {
      const failed = await carryOutTransfers(services, new Date());
      for (const failure of failed) tools.log({ level: 'error', job: 'open linked cases of transfers', ...failure });
    },
  },
  {
    name: 'write the AI texts of reports',
    title: 'AI综合解读',
    everySeconds: 5,
    run: (services) => writeAiTexts(services, () => new Date()),
  },
  { name: 'write the texts of new reports', title: '报告生成', everySeconds: 10, run: (services) => renderReports(services) },
  {
    name: 'end orders whose time is over, send refunds',
    title: '订单超时与退款',
    everySeconds: 30,
    run: async (services) => {
      for (const failure of [...(await endDueOrders(services, new Date())), ...(await sendRefunds(services, new Date()))])
        tools.log({ level: 'error', job: 'end orders whose time is over, send refunds', ...failure });
    },
  },
  {
    name: 'compare the orders of sellers',
    title: '订单对账',
    everySeconds: 600,
    run: async (services) => {
      for (const failure of await reconcileOrdersDue(services, new Date()))
        tools.log({ level: 'error', job: 'compare the orders of sellers', ...failure });
    },
  },
  {
    name: 'delete expired files',
    title: '过期文件清理',
    everySeconds: 600,
    run: (services) => cleanupFiles(services, new Date()),
  },
  {
    name: 'count the statistics over several institutions',
    title: '多机构统计汇总',
    everySeconds: 60,
    run: (services) => countKept(services, new Date()),
  },
  {
    name: 'publish the figures for authorities',
    title: '监管单位数据发布',
    everySeconds: 60,
    run: (services) => publishDue(services, new Date()),
  },
  {
    name: 'compare answers, log and cases',
    title: '零漏报对账',
    everySeconds: 60,
    run: async (services) => {
      const { failed } = await reconcileDue(services, new Date());
      for (const failure of failed) tools.log({ level: 'error', job: 'compare answers, log and cases', ...failure });
    },
  },
  // Not part of the job above: a job that has died cannot say so.
  {
    name: 'alarm when the comparison is silent',
    title: '对账静默报警',
    everySeconds: 60,
    run: (services) => alarmSilence(services, new Date()),
  },
];

/**
 * Runs a job once. A failure stands on the operator's workbench until the job succeeds. While the database is away, only the log
 * has it.
 */
export async function runJob(
  job: Pick<Recurring, 'name' | 'title' | 'run'> & { isHealthy?: boolean },
  services: Services,
  { log }: Pick<JobTools, 'log'>,
): Promise<void> {
  const record = async (work: Promise<unknown>) => {
    await work.catch(() => undefined);
  };
  try {
    await job.run(services);
    if (!job.isHealthy) await record(clearJobFailure(services, job.title));
    job.isHealthy = true;
  } catch (error) {
    job.isHealthy = false;
    log({ level: 'error', job: job.name, error: error instanceof Error ? error.stack : String(error) });
    await record(recordJobFailure(services, job.title, error instanceof Error ? error.message : String(error), new Date()));
  }
}

/** Starts the recurring jobs; `stop` waits for the jobs that are running. */
export function startJobs(services: Services, tools: JobTools): { stop: () => Promise<void> } {
  const running = new Set<Promise<unknown>>();
  const timers = recurring(tools).map((job) => {
    let busy = false;
    return setInterval(() => {
      if (busy) return;
      busy = true;
      const run = () => runJob(job, services, tools);
      const work = (job.hasOwnLock ? run() : runAlone(tools.leases, `job ${job.name}`, run))
        .catch((error: unknown) => tools.log({ level: 'error', job: job.name, error: String(error) }))
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
