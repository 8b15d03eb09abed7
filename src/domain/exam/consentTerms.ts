/** What an institution decides about consent. Empty fields take the defaults below (clinical-rules I). */
export interface ConsentTerms {
  contactname: string;
  contactphone: string;
  /** where a person asks, corrects, withdraws and complains */
  channel: string;
  /** how long answers and reports are stored (t1); needs local legal confirmation */
  answersterm: string;
  /** how long cases are stored (t2); needs local legal confirmation */
  casesterm: string;
  /** who of the institution is told in danger, for example 学校负责人 */
  leader: string;
  /** the authority that is told if necessary; needs local legal confirmation */
  authority: string;
  /** an organisation that receives data for its own purposes; empty without one */
  recipient: string;
  /** guardians of persons of 14–17: none, inform, agree */
  teenguardian: TeenGuardian;
}
export type TeenGuardian = 'none' | 'inform' | 'agree';

/** The labels of the choice for persons of 14–17. */
export const teenGuardianLabels: Readonly<Record<TeenGuardian, string>> = { none: '无', inform: '告知', agree: '同意' };

/** The terms that need confirmation by local law; the settings screen marks them 需按当地规定确认. */
export const locallyConfirmed: ReadonlySet<keyof ConsentTerms> = new Set(['answersterm', 'casesterm', 'authority']);

/** The default terms. Sources of the periods: PIPL art. 19; 病历管理规定 art. 29; 精神卫生法 art. 47; cases: product rule. */
export function defaultTerms(sector: string): ConsentTerms {
  return {
    contactname: '',
    contactphone: '',
    channel: '',
    answersterm:
      sector === 'edu'
        ? '到离校后3年'
        : sector === 'health'
          ? '到最后一次服务后3年（属于病历的，门诊15年、住院和精神障碍诊疗30年）'
          : '到最后一次服务后3年',
    casesterm: '到结案后10年',
    leader: sector === 'edu' ? '学校负责人' : '单位负责人',
    authority: sector === 'edu' ? '教育主管部门' : sector === 'health' ? '卫生健康主管部门' : '主管部门',
    recipient: '',
    teenguardian: 'inform',
  };
}

/** The terms of an institution: its own, otherwise the defaults. */
export function toTerms(sector: string, own: Partial<ConsentTerms> | null | undefined): ConsentTerms {
  const defaults = defaultTerms(sector);
  const filled = Object.entries(own ?? {}).filter(([key, value]) => key in defaults && value !== '' && value != null);
  return { ...defaults, ...Object.fromEntries(filled) } as ConsentTerms;
}
