import { retentionKinds } from '#domain/retention/retention.ts';

/** The receipt of an erasure: what was erased, and what stays by which ground until when. Numbers without a name. */
export interface ErasureReceipt {
  erased: { name: string; count: number }[];
  kept: KeptRecords[];
}

export interface KeptRecords {
  name: string;
  count: number;
  /** the last day of the term, 'YYYY-MM-DD'; '' for records that the product does not delete */
  until: string;
  ground: string;
}

/** The numbers of records that an erasure finds. */
export interface ErasureCounts {
  records: number;
  guardians: number;
  files: number;
  sheets: number;
  reports: number;
  consults: number;
  care: number;
  teams: number;
  addresses: number;
  exams: number;
  consents: number;
  looks: number;
  ledger: number;
}

const groundOf = (key: string): string => retentionKinds.find((kind) => kind.key === key)?.ground ?? '';

/** Returns the receipt. `cases` are the last days of the terms of closed cases whose records stay. */
export function toReceipt(counts: ErasureCounts, cases: readonly string[]): ErasureReceipt {
  const erased = [
    { name: '姓名、编号、电话、证件、住址、出生日期和档案内容', count: counts.records },
    { name: '监护人的姓名与电话', count: counts.guardians },
    { name: '附件与签名', count: counts.files },
    { name: '答卷的逐题作答', count: counts.sheets },
    { name: '报告的文字、评语与建议', count: counts.reports },
    { name: '咨询登记的内容与小结，以及咨询师的个别记录（如有）', count: counts.consults },
    { name: '随访与干预的文字', count: counts.care },
    { name: '班级与团体的成员关系', count: counts.teams },
    { name: '作答时的 IP 与浏览器', count: counts.addresses },
  ].filter(({ count }) => count > 0);
  const kept = [
    {
      name: '已结案预警个案的处置记录（不再显示姓名）',
      count: cases.length,
      until: [...cases].sort().at(-1) ?? '',
      ground: groundOf('case'),
    },
    {
      name: '答卷的年龄、班级、得分与等级（不含姓名，用于统计）',
      count: counts.exams,
      until: '',
      ground: '个人信息保护法第四条、第七十三条（匿名化后的信息）',
    },
    { name: '知情同意与撤回的记录（不含姓名、签名与 IP）', count: counts.consents, until: '', ground: groundOf('consent') },
    { name: '审计日志（只写编号；办理人填写的停用原因不改动）', count: counts.looks, until: '', ground: groundOf('audit') },
    { name: '测评次数的流水（只有编号）', count: counts.ledger, until: '', ground: groundOf('order') },
  ].filter(({ count }) => count > 0);
  return { erased, kept };
}
