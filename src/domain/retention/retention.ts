import { fromShanghai, shanghaiDate } from '#domain/base/calendar.ts';

/**
 * The terms of all kinds of record, in one table. Statutes are cited only where they give the number. Where they give none, the term is
 * the institution's own rule (机构规定) with the reason of the default. Cite 个人信息保护法 19 for the principle: the shortest necessary time.
 */

/** What happens when the term ends. anonymise: names, contacts, answers and texts go, figures without a name stay. */
export type RetentionEnd = 'anonymise' | 'delete' | 'keep';
/** The job that carries a term out. audit and others are never deleted by the product. */
export type RetentionJob = 'person' | 'notice' | 'delivery' | 'job' | 'session' | 'technical' | 'case' | 'consent' | 'none';

export interface RetentionKind {
  key: string;
  /** Chinese name of the kind of record */
  name: string;
  /** the day from which the term runs, in Chinese */
  start: string;
  /** the statute with its article, or 机构规定 */
  ground: string;
  /** why the default is as it is, in Chinese */
  reason: string;
  end: RetentionEnd;
  job: RetentionJob;
  /** default, shortest and longest term in months; null: the term is not a number of months */
  months: { usual: number; least: number; most: number } | null;
  /** the term in words, where it is not a number of months */
  words?: string;
  /** medical: only institutions of the medical sector; other: only the others; absent: all */
  only?: 'medical' | 'other';
}

const OWN_RULE = '机构规定';

/** All kinds of record, in the order of the page. */
export const retentionKinds: readonly RetentionKind[] = [
  {
    key: 'person',
    name: '测评档案（姓名与联系方式、作答、报告、咨询与随访记录）',
    start: '最近一次服务之日',
    ground: `个人信息保护法第十九条、第四十七条；年限为${OWN_RULE}`,
    reason: '法律要求为实现目的所必要的最短时间，没有规定年限；默认 3 年，便于复测对照',
    end: 'anonymise',
    job: 'person',
    months: { usual: 36, least: 12, most: 120 },
    only: 'other',
  },
  {
    key: 'medical',
    name: '医疗机构的测评档案（姓名与联系方式、作答、报告、咨询与随访记录）',
    start: '最近一次服务之日',
    ground:
      '医疗机构病历管理规定（2013年版）第二十九条（门急诊不少于15年，住院不少于30年）；精神卫生法第四十七条（精神障碍患者不少于30年）',
    reason: '系统不能区分门诊、住院与精神障碍患者的病历，默认取最长的 30 年；只有门诊记录的机构可以改短，不得少于 15 年',
    end: 'anonymise',
    job: 'person',
    months: { usual: 360, least: 180, most: 600 },
    only: 'medical',
  },
  {
    key: 'case',
    name: '危机预警个案的处置记录',
    start: '结案之日',
    ground: OWN_RULE,
    reason: '法律没有规定年限；默认 10 年，用于说明已尽的救助义务。在本地上报规定中设置，不少于 3 年',
    end: 'anonymise',
    job: 'case',
    months: null,
    words: '默认 10 年，见本地上报规定',
  },
  {
    key: 'withheld',
    name: '监护人没有同意的作答',
    start: '作答之日',
    ground: `个人信息保护法第三十一条；天数为${OWN_RULE}`,
    reason: '等待监护人核实的时间',
    end: 'delete',
    job: 'consent',
    months: null,
    words: '14 天',
  },
  {
    key: 'withdrawn',
    name: '撤回同意的人的作答、结果与报告',
    start: '撤回之日',
    ground: `个人信息保护法第十五条、第四十七条；天数为${OWN_RULE}`,
    reason: '撤回即停用；未结个案所依据的作答在结案后删除',
    end: 'delete',
    job: 'consent',
    months: null,
    words: '10 个工作日',
  },
  {
    key: 'notice',
    name: '工作人员的消息',
    start: '发出之日',
    ground: OWN_RULE,
    reason: '与测评档案的默认年限相同，消息可能写有个案的情况',
    end: 'delete',
    job: 'notice',
    months: { usual: 36, least: 6, most: 36 },
  },
  {
    key: 'delivery',
    name: '提醒的投递记录（短信、电话、邮件、推送，待拨清单）',
    start: '办结之日',
    ground: OWN_RULE,
    reason: '默认 1 年，便于查明一条提醒是否送达；没有办结的不删除',
    end: 'delete',
    job: 'delivery',
    months: { usual: 12, least: 3, most: 36 },
  },
  {
    key: 'job',
    name: '导入、导出的办理记录',
    start: '办理之日',
    ground: OWN_RULE,
    reason: '导出的文件 48 小时后删除；办理记录保留 1 年备查',
    end: 'delete',
    job: 'job',
    months: { usual: 12, least: 3, most: 36 },
  },
  {
    key: 'session',
    name: '登录记录（IP 与浏览器）',
    start: '登录结束之日',
    ground: '网络安全法关于网络日志留存不少于六个月的规定',
    reason: '默认 1 年，便于查找异常登录；不得少于 6 个月',
    end: 'delete',
    job: 'session',
    months: { usual: 12, least: 6, most: 36 },
  },
  {
    key: 'technical',
    name: '登录限制、测评链接与代码、二次验证请求、未完成的上传、事件推送记录',
    start: '失效之日',
    ground: OWN_RULE,
    reason: '失效后不再需要；未完成的上传一天后删除',
    end: 'delete',
    job: 'technical',
    months: null,
    words: '30 天',
  },
  {
    key: 'consent',
    name: '知情同意、监护人同意与撤回的记录',
    start: '同意之日',
    ground: `个人信息保护法第十四条、第二十九条；年限为${OWN_RULE}`,
    reason: '证明处理有依据；匿名化时删除签名与 IP，其余不含姓名',
    end: 'keep',
    job: 'none',
    months: null,
    words: '保留，不含姓名',
  },
  {
    key: 'audit',
    name: '审计日志、个案日志',
    start: '写入之日',
    ground: '网络安全法关于网络日志留存不少于六个月的规定；未成年人网络保护条例第三十六条（记录访问情况）',
    reason: '逐条封存，删去任何一条都会被发现，因此不删除；日志写编号和办理人填写的停用原因，不写姓名和作答',
    end: 'keep',
    job: 'none',
    months: null,
    words: '保留',
  },
  {
    key: 'order',
    name: '订单与付款记录',
    start: '会计年度终了后的第一天',
    ground: '会计档案管理办法（2015）第十四条及附表（会计凭证 30 年）',
    reason: '订单是机构之间的，不含受测者；系统不删除',
    end: 'keep',
    job: 'none',
    months: null,
    words: '至少 30 年',
  },
];

/** Days after which the job deletes technical rows that are no longer valid. */
export const TECHNICAL_DAYS = 30;

/** The terms that an institution has set, in months by kind. */
export type RetentionMonths = Readonly<Record<string, number>>;

/** The kinds of record of an institution; `isMedical`: of the medical sector. */
export const kindsOf = (isMedical: boolean): RetentionKind[] =>
  retentionKinds.filter(({ only }) => only === undefined || (only === 'medical') === isMedical);

/** The term of a kind in months: the institution's own within the limits of the law, else the default. Null without a number. */
export const monthsOf = ({ key, months }: RetentionKind, own: RetentionMonths = {}): number | null =>
  months && Math.min(Math.max(own[key] ?? months.usual, months.least), months.most);

/**
 * The last day of a term, as a date of China. The record is erased on the day after. A month without that day ends on its last day, as in
 * PostgreSQL.
 */
export function lastDayOf(start: Date, months: number): string {
  const [year, month, day] = shanghaiDate(start).split('-').map(Number) as [number, number, number];
  const lastOfMonth = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, lastOfMonth))).toISOString().slice(0, 10);
}

/** The instant that divides records at `now`: the terms of exactly those that began before it are over. */
export function keptSince(months: number, now: Date): Date {
  const [year, month, day] = shanghaiDate(now).split('-').map(Number) as [number, number, number];
  const daysThen = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  // Where the month of the beginning has no such day, every day of it is over.
  const begin = day > daysThen ? Date.UTC(year, month - months, 1) : Date.UTC(year, month - 1 - months, day);
  return fromShanghai(new Date(begin).toISOString().slice(0, 10));
}
