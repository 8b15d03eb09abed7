import { formatNumber } from '#domain/base/number.ts';
import { addDays, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { MUserType } from '#domain/base/enums.ts';
import { codeOf, pathOf, type Guard } from '#contract/menu.ts';
import type { ReadContext } from '#server/dispatch/handle.ts';
import type { DayBlock } from '#features/workbench/workbench.contract.ts';
import * as queries from '#features/workbench/operator.queries.ts';

/** Days before the end of a contract in which the workbench shows it. */
const CONTRACT_NOTICE_DAYS = 30;
const STEPS: Readonly<Record<string, string>> = { apps: '选择应用', counts: '发放次数', accounts: '建立账号', qr: '作答入口' };
const CHANNELS: Readonly<Record<string, string>> = { mail: '邮件', webhook: '系统推送' };

const row = (title: string, detail: string, time: string | null, path: string, late = false): DayBlock['rows'][number] => ({
  title,
  detail,
  time,
  late,
  level: null,
  levelname: '',
  path,
});

/** The blocks of the platform and of providers: institutions, their counts, channels and jobs. No block names a person who is assessed. */
export async function createOperatorBlocks({ scope, caller, now }: ReadContext<'staff'>): Promise<DayBlock[]> {
  const has = (guard: Guard) => caller.codes.has(codeOf(guard));
  const blocks: DayBlock[] = [];
  const list = has('service.institutions')
    ? pathOf('service.institutions')
    : has('service.providers')
      ? pathOf('service.providers')
      : null;
  if (list) {
    const openings = await queries.findOpenings(scope);
    blocks.push({
      key: 'openings',
      title: '开通中的机构',
      count: openings.total,
      note: '',
      path: `${list}?opening=1`,
      rows: openings.rows.map((item) =>
        row(
          item.insname,
          `${MUserType.label(item.musertype)} · 下一步：${STEPS[item.step] ?? item.step}`,
          null,
          `/Service/opening/${item.musertype === '002' ? 'providers' : 'institutions'}/${item.musercode}`,
        ),
      ),
    });
    const listOf = (musertype: string) => (musertype === '002' && has('service.providers') ? pathOf('service.providers') : list);
    const [today, until] = [shanghaiDate(now), shanghaiDate(addDays(now, CONTRACT_NOTICE_DAYS))];
    const ending = await queries.findEndingContracts(scope, today, until);
    blocks.push({
      key: 'contracts',
      title: '即将到期机构',
      count: ending.total,
      note: ending.more ? `其中已到期 ${formatNumber(ending.more)} 家` : '',
      path: `${list}?expiringby=${until}`,
      rows: ending.rows.map((item) =>
        row(
          item.insname,
          MUserType.label(item.musertype),
          item.expiredate,
          `${listOf(item.musertype)}?keyword=${encodeURIComponent(item.musercode)}`,
          item.expiredate !== null && item.expiredate < today,
        ),
      ),
    });
  }
  if (has('data.counts')) {
    const low = await queries.findLowWallets(scope);
    blocks.push({
      key: 'lowcounts',
      title: '次数不足',
      count: low.total,
      note: low.more ? `其中已用完 ${formatNumber(low.more)} 项` : '',
      path: `${pathOf('data.counts')}?low=1`,
      rows: low.rows.map((item) =>
        row(
          item.insname,
          `${item.planname ?? '通用次数'} · 剩余 ${formatNumber(item.free)} / 获得 ${formatNumber(item.granted)}`,
          null,
          `${pathOf('data.counts')}?musercode=${item.musercode}`,
          item.free <= 0,
        ),
      ),
    });
  }
  if (has('organization.users')) {
    const channels = await queries.findFailingChannels(scope);
    blocks.push({
      key: 'channels',
      title: '发送失败的通知通道',
      count: channels.total,
      note: '',
      path: '/noticeChannels',
      rows: channels.rows.map((item) =>
        row(
          item.insname,
          `${CHANNELS[item.channel]} · ${item.lasterror}`,
          shanghaiTime(item.createtime),
          `/noticeChannels?channel=${item.channel}&keyword=${encodeURIComponent(item.insname)}`,
          true,
        ),
      ),
    });
  }
  if (caller.musertype === '001' && has('organization.users')) {
    const jobs = await queries.findFailingJobs(scope);
    blocks.push({
      key: 'jobs',
      title: '没有成功的自动任务',
      count: jobs.total,
      note: '',
      path: '',
      rows: jobs.rows.map((item) =>
        row(item.jobname, `失败 ${item.failures} 次 · ${item.lasterror}`, shanghaiTime(item.firsttime), '', true),
      ),
    });
  }
  return blocks;
}
