import { defineEnum } from '#domain/base/enum.ts';

/** The states of an archive. */
export const ArchiveStatus = defineEnum({ open: [1, '在管'], closed: [2, '已结束'] });

/** Why an archive ended (supplement-people-statistics.md, section 2). */
export const ArchiveCloseReason = defineEnum({
  ended: ['01', '毕业/期满'],
  transferred: ['02', '转出'],
  pregnancyEnded: ['03', '孕产期结束'],
  left: ['04', '离职/离院'],
  died: ['05', '死亡'],
  duplicate: ['06', '重复建档'],
  other: ['07', '其他'],
});

/** What is due for a person today (`dueOf` of stage.ts). */
export const DueState = defineEnum({
  due: ['due', '应测'],
  overdue: ['overdue', '逾期'],
  retest: ['retest', '复测'],
  missed: ['missed', '漏测'],
});

/** Days after its end during which an archive can be reopened. */
export const REOPEN_DAYS = 30;
