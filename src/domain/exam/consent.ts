/** The text to which a respondent agrees. A version never changes after the first consent. Sources: PIPL arts 13–17, 28–31. */
export interface ConsentText {
  version: string;
  text: string;
  sensitivetext: string;
  guardiantext: string;
}

/** The consent text of an institution. It addresses students with 你 and all others with 您. */
export function consentText(version: string, sector: string, insname: string): ConsentText {
  const you = sector === 'edu' ? '你' : '您';
  const helper = sector === 'edu' ? '心理老师' : sector === 'health' ? '医护人员' : '心理服务人员';
  return {
    version,
    text: [
      `${insname}邀请${you}完成一次心理健康筛查，用来了解近期的情绪状态，大约需要 5 分钟。`,
      `结果是筛查参考，不是医学诊断。只有负责此项工作的${helper}可以看到${you}的作答，其他人只能看到不含姓名的统计。`,
      `${you}可以随时停下，也可以不参加或撤回同意，这不会影响${you}的${sector === 'edu' ? '学习和评价' : '服务和权益'}。作答资料按规定期限保存，到期删除。`,
      `如果回答提示${you}可能处于危险中，${helper}会尽快联系${you}，必要时会联系${you}的监护人或家人，以保护${you}的安全。`,
    ].join('\n'),
    sensitivetext: `我单独同意处理我的心理健康信息（属于敏感个人信息），仅用于本次筛查、关怀与随访。`,
    guardiantext: '未满 14 周岁的同学需要监护人一同阅读并同意。请监护人填写以下信息。',
  };
}

/** The consent scopes that a respondent needs before the first answer: 01 processing, 02 sensitive data. */
export const requiredScopes = ['01', '02'] as const;

/** Whether a guardian must agree too: the person is under 14 (PIPL art. 31). An unknown age needs no guardian. */
export const needsGuardian = (age: number | null): boolean => age !== null && age < 14;
