import { OPERATOR_TYPES } from '#contract/action.ts';
import { codeOf, menu, pathOf, type Directory, type ScreenKey } from '#contract/menu.ts';
import type { Staff } from '#server/dispatch/caller.ts';

/** A fact of the institution or of the account that makes a step done (guide.queries.ts). */
export const FACTS = ['institutions', 'depts', 'roles', 'users', 'duty', 'roster', 'tasks', 'phone', 'hours', 'view'] as const;
export type Fact = (typeof FACTS)[number] | 'factor' | 'feed';

/** One step of a checklist. Texts use the general words of `sayInSector`. */
export interface Step {
  key: string;
  title: string;
  hint: string;
  /** the screen whose right the step needs; null: a page that every account has */
  screen: ScreenKey | null;
  /** the page, when it is not the screen itself */
  path?: string;
  /** only institutions of this sector have the step */
  sector?: string;
  /** what makes the step done; null: the account has opened the page */
  fact: Fact | null;
}

const factor: Step = {
  key: 'factor',
  title: '设置二次验证',
  hint: '密码之外再加一道，约 1 分钟',
  screen: null,
  path: '/profile/factor',
  fact: 'factor',
};
const phone: Step = {
  key: 'phone',
  title: '填写自己的联系电话',
  hint: '有预警时，同事能找到您',
  screen: null,
  path: '/profile',
  fact: 'phone',
};
const depts: Step = { key: 'depts', title: '建立部门', hint: '年级、科室或分院', screen: 'organization.depts', fact: 'depts' };
const roles: Step = {
  key: 'roles',
  title: '给同事分配角色',
  hint: '角色决定能看什么、能做什么',
  screen: 'authority.roles',
  fact: 'roles',
};
const users: Step = {
  key: 'users',
  title: '新增用户',
  hint: '逐个添加，或用表格导入',
  screen: 'organization.users',
  fact: 'users',
};

/** 平台 and 服务商: open institutions. */
const OPERATOR: readonly Step[] = [
  {
    key: 'institutions',
    title: '开通第一家机构',
    hint: '按步骤填完，账号随即可用',
    screen: 'service.institutions',
    fact: 'institutions',
  },
  depts,
  roles,
  users,
  factor,
];
/** 机构管理员: from the departments to the first task. */
const ADMINISTRATOR: readonly Step[] = [
  factor,
  depts,
  users,
  roles,
  {
    key: 'duty',
    title: '指定预警值班人员',
    hint: '在“值班安排”中；没有值班人员时，预警会转给服务商',
    screen: 'warning.crisis',
    fact: 'duty',
  },
  { key: 'roster', title: '导入受测者名单', hint: '班级/团体建好后导入表格', screen: 'group.teams', fact: 'roster' },
  { key: 'tasks', title: '新建第一个测评任务', hint: '选方案、选人、定时间', screen: 'group.tasks', fact: 'tasks' },
];
/** 心理教师, 医生, 护士 and 值班: ready for the first case. */
const CARER: readonly Step[] = [
  factor,
  phone,
  {
    key: 'crisis',
    title: '看一遍危机预警列表',
    hint: '按 H 看每个词的意思',
    screen: 'warning.crisis',
    fact: null,
  },
  {
    key: 'maternity',
    title: '看一遍今天该测谁',
    hint: '到期、补测和复测都在这里',
    screen: 'individual.maternity',
    sector: 'health',
    fact: null,
  },
  {
    key: 'hours',
    title: '设置自己的咨询时间',
    hint: '在“排班”里，之后才能预约',
    screen: 'consult.forms',
    path: `${pathOf('consult.forms')}?tab=schedule`,
    fact: 'hours',
  },
  {
    key: 'feed',
    title: '把日程订阅到手机日历',
    hint: '只写时间，不写姓名',
    screen: 'consult.followups',
    path: '/planner',
    fact: 'feed',
  },
  { key: 'view', title: '保存一个常用视图', hint: '在任一列表上方点“视图”', screen: 'warning.crisis', fact: 'view' },
];
/** 班主任: the own class. */
const TEACHER: readonly Step[] = [
  { key: 'teams', title: '核对自己的班级名单', hint: '少人或多人请告诉心理老师', screen: 'group.teams', fact: null },
  { key: 'progress', title: '看看谁还没有完成测评', hint: '进入任务，未完成的排在前面', screen: 'group.tasks', fact: null },
  { key: 'crisis', title: '了解预警怎么配合', hint: '您只看到需要您做的事', screen: 'warning.crisis', fact: null },
  factor,
  phone,
];
/** 主管部门: released figures only. */
const AUTHORITY: readonly Step[] = [
  { key: 'statistics', title: '看一遍各校数据', hint: '数字每晚发布一次', screen: 'statistics.school', fact: null },
  { key: 'crisis', title: '看一遍超时事项', hint: '只有数量和学校，没有姓名', screen: 'warning.crisis', fact: null },
  {
    key: 'supervision',
    title: '了解督办怎么发出',
    hint: '学校回复后会出现在工作台',
    screen: 'warning.crisis',
    path: '/statistics/supervision',
    fact: null,
  },
  factor,
];

/** Returns the checklist of the caller's role, before the rights are asked. */
function listOf(caller: Staff): readonly Step[] {
  if ((OPERATOR_TYPES as readonly string[]).includes(caller.musertype)) return OPERATOR;
  if (caller.musertype === '003') return AUTHORITY;
  if (caller.userid === null || caller.codes.has(codeOf('organization.users'))) return ADMINISTRATOR;
  return caller.ownTeamsOnly ? TEACHER : CARER;
}

/** Whether the caller may open the screen. A screen needs the code of its directory too. */
function isOpen({ codes }: Staff, screen: ScreenKey): boolean {
  const directory = (Object.values(menu) as Directory[]).find(({ screens }) => screen in screens);
  return codes.has(codeOf(screen)) && (!directory?.code || codes.has(directory.code));
}

/**
 * Returns the steps of the caller's role that the caller may do, each with the path of its page. An account without any right has none;
 * the account of an institution itself has no telephone, hours or feed of a person.
 */
export function stepsOf(caller: Staff): (Step & { path: string })[] {
  if (caller.codes.size === 0) return [];
  return listOf(caller)
    .filter(({ screen, sector }) => (screen === null || isOpen(caller, screen)) && (sector ?? caller.sector) === caller.sector)
    .filter(({ fact }) => caller.userid !== null || fact !== 'phone')
    .map((step) => ({ ...step, path: step.path ?? pathOf(step.screen as ScreenKey) }));
}
