import { z } from 'zod';
import { FollowMethod, FollowOutcome, FollowStatus, InterfereKind } from '#domain/base/enums.ts';
import { andHolding, CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { exportFields, personName, readableBy } from '#contract/fieldAccess.ts';
import { day, editVersion, flag, moment, newVersion } from '#contract/field.ts';
import { file } from '#contract/file.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';

/** The actions of follow-ups and interventions, with or without a case. */

export const followUpReaders = staffOf('consult.followups', 'warning.handle');
export const followUpWriters = forTypes(CARE_TYPES, andHolding(followUpReaders, 'care.edit'));
const helpers = forTypes(CARE_TYPES, staffOf('care.edit'));
const ids = z.object({ followupids: z.array(z.number()) });
const personFields = {
  cuserid: z.string().min(1, '请选择受测者').max(20).describe('受测者'),
  warningcode: z.string().max(20).optional(),
};
const planname = z.string().trim().max(50);
const owneruserid = z.string().max(20).describe('责任人');
const retestplan = z.string().max(20).describe('附带复测');
/** A series at a fixed interval. */
export const repeat = z.strictObject({
  everydays: z.coerce.number().int().min(1).max(90).describe('间隔天数'),
  times: z.coerce.number().int().min(1).max(30).describe('次数'),
});
/** A series as the duties of this level say. */
export const bylevel = z.coerce.number().int().min(1).max(4).describe('按等级计划');
const followUpContent = z.string().trim().min(1, '请填写随访记录').max(2000);
const interventionContent = z.string().trim().min(1, '请填写干预内容').max(2000);
const followupid = z.number().int();
const interfereid = z.number().int();

/** A follow-up as a row of the list. */
export const followUpRow = z.object({
  followupid: z.number(),
  version: z.number(),
  cuserid: z.string(),
  username: personName(),
  belongs: z.string(),
  appid: z.string(),
  musercode: z.string(),
  insname: z.string(),
  warningcode: z.string().nullable(),
  warninglevel: readableBy('cases', z.number().nullable()),
  planname: z.string(),
  seq: z.number(),
  duetime: z.string(),
  method: z.enum(FollowMethod.codes),
  /** never 03: whether it is overdue is `isoverdue` */
  status: z.enum(FollowStatus.codes),
  isoverdue: z.number(),
  donetime: z.string().nullable(),
  content: z.string(),
  currentlevel: readableBy('results', z.number().nullable()),
  /** the result of its re-test as text; '' without one */
  retest: readableBy('results', z.string(), ''),
  /** 0: no re-test is attached; 1: it waits for the person; 2: it is handed in; 3: its authorization ended without a sheet */
  reteststate: z.number(),
  /** the plan of the attached re-test; '' without one */
  retestplan: z.string(),
  retestplanname: z.string(),
  outcome: z.enum(FollowOutcome.codes).nullable(),
  owneruserid: z.string().nullable(),
  ownername: z.string(),
  /** 1: its case is open, so there is always a next follow-up */
  iscaseopen: z.number(),
  /** the next waiting follow-up of the same case, or of the same plan of the person; null without one */
  nextplanned: z.string().nullable(),
});
export type FollowUpRow = z.infer<typeof followUpRow>;

/** The filters of the list and of its export. */
const filters = {
  keyword: z.string().trim().max(50).optional().describe('姓名/编号'),
  /** 03: waiting and overdue now; 01 has these too */
  status: z.enum(FollowStatus.codes).optional().describe('状态'),
  method: z.enum(FollowMethod.codes).optional().describe('方式'),
  owneruserid: owneruserid.optional(),
  /** 1: those that nobody is responsible for */
  noowner: flag.optional().describe('无责任人'),
  /** today: due today or before and not done; overdue: past their time and not done; all */
  view: z.enum(['today', 'overdue', 'all']).default('all').describe('范围'),
  mine: flag.optional().describe('我负责的'),
  warningcode: z.string().max(20).optional(),
  cuserid: z.string().max(20).optional(),
  begindate: day.optional().describe('开始日期'),
  enddate: day.optional().describe('结束日期'),
};
/** A page of the follow-ups in the caller's reach. */
export const getFollowUpPageList = defineAction({
  name: 'as.m.followup.getFollowUpPageList',
  title: '查询随访',
  allow: followUpReaders,
  kind: 'read',
  request: pageRequest.extend({ orderby: sortedBy('duetime', 'ownername'), ...filters }),
  response: pageOf(followUpRow),
});

/**
 * Plans one follow-up or, with `repeat` or `bylevel`, several; `getFollowUpDates` shows their days before. `retestplan` lets the person
 * answer that plan once and needs the right to authorize persons. Refuses an owner who may not do follow-ups (120002).
 */
export const insertFollowUp = defineAction({
  name: 'as.m.followup.insertFollowUp',
  title: '新增随访计划',
  allow: followUpWriters,
  kind: 'write',
  person: ({ cuserid }) => [cuserid],
  request: z.strictObject({
    ...personFields,
    planname: planname.default('').describe('计划名称'),
    duetime: moment.describe('随访时间'),
    method: z.enum(FollowMethod.codes, '请选择随访方式').default('02').describe('随访方式'),
    repeat: repeat.optional(),
    bylevel: bylevel.optional(),
    /** default: the owner of the case, else the caller */
    owneruserid: owneruserid.optional(),
    /** attached to the first of several */
    retestplan: retestplan.optional(),
  }),
  response: ids,
});

/**
 * Records a waiting follow-up. An open case gets its next follow-up in the same call. Without an open case the person needs a next
 * date, another waiting follow-up, or the end with a reason (120002).
 */
export const finishFollowUp = defineAction({
  name: 'as.m.followup.finishFollowUp',
  title: '完成随访',
  allow: followUpWriters,
  kind: 'write',
  request: z.strictObject({
    followupid,
    /** 02: done; 04: staff could not reach the person */
    status: z.enum(['02', '04']).default('02').describe('随访结果'),
    method: z.enum(FollowMethod.codes).optional().describe('随访方式'),
    content: followUpContent.describe('随访记录'),
    currentlevel: z.coerce.number().int().min(0).max(4).optional().describe('当前状态'),
    /** an exam of the person; the follow-up shows its PHQ-9 total */
    examcode: z.string().max(20).optional().describe('关联复测'),
    phq9total: z.coerce.number().int().min(0).max(27).optional().describe('PHQ-9 总分'),
    /** 02 ends the follow-ups of a person without an open case; the other waiting ones of the same plan are cancelled */
    outcome: z.enum(FollowOutcome.codes).optional().describe('后续'),
    endreason: z.string().trim().min(2, '请填写结束原因，至少 2 个字').max(500).optional().describe('结束原因'),
    /** lets the person answer this plan once */
    retestplan: retestplan.optional(),
    /** the next follow-up; by default the server plans it for an open case without a waiting one, by its level */
    nextduetime: moment.optional().describe('下次随访'),
  }),
  response: z.object({ followupid: z.number(), nextduetime: z.string().nullable() }),
});

/** Cancels a waiting follow-up with a reason. */
export const cancelFollowUp = defineAction({
  name: 'as.m.followup.cancelFollowUp',
  title: '取消随访',
  allow: followUpWriters,
  kind: 'write',
  request: z.strictObject({
    followupid,
    reason: z.string().trim().min(1, '请填写取消原因').max(500).describe('取消原因'),
  }),
  response: z.object({}),
});

/** Moves a waiting follow-up or corrects a recorded one. The log of its case keeps the old text. */
export const updateFollowUp = defineAction({
  name: 'as.m.followup.updateFollowUp',
  title: '修改随访',
  allow: followUpWriters,
  kind: 'write',
  edits: { table: 'followup', key: 'followupid' },
  request: z.strictObject({
    followupid,
    version: editVersion,
    planname: planname.optional().describe('计划名称'),
    duetime: moment.optional().describe('随访时间'),
    method: z.enum(FollowMethod.codes).optional().describe('随访方式'),
    owneruserid: owneruserid.optional(),
    content: followUpContent.optional().describe('随访记录'),
    currentlevel: z.coerce.number().int().min(0).max(4).optional().describe('当前状态'),
  }),
  response: z.object(newVersion),
});

/** Deletes a waiting or cancelled follow-up. A recorded one cannot be deleted. */
export const deleteFollowUp = defineAction({
  name: 'as.m.followup.deleteFollowUp',
  title: '删除随访',
  allow: followUpWriters,
  kind: 'write',
  request: z.strictObject({ followupid }),
  response: z.object({}),
});

/** The columns of the exported follow-ups. */
export const followUpColumns = exportFields(
  { head: '姓名', rule: 'names' },
  '班级/单位',
  '机构',
  '预警编号',
  '计划',
  { head: '次序', kind: 'number' },
  '应随访时间',
  '方式',
  '状态',
  '完成时间',
  '随访记录',
  { head: '当前状态', kind: 'number', rule: 'results' },
  { head: '复测', rule: 'results' },
  '责任人',
);
/** The workbook of the follow-ups that the filters find. */
export const exportFollowUpList = defineAction({
  name: 'as.m.followup.exportFollowUpList',
  title: '导出随访',
  columns: followUpColumns,
  allow: forTypes(CARE_TYPES, andHolding(followUpReaders, 'exam.export')),
  kind: 'export',
  request: z.strictObject({
    ...filters,
    approvalid: z.coerce.number().int().optional().describe('审批'),
  }),
  response: file,
});

/** Records an intervention. */
export const insertInterfere = defineAction({
  name: 'as.m.interfere.insertInterfere',
  title: '新增干预记录',
  allow: helpers,
  kind: 'write',
  person: ({ cuserid }) => [cuserid],
  request: z.strictObject({
    ...personFields,
    kind: z.enum(InterfereKind.codes, '请选择干预方式').describe('干预方式'),
    begintime: moment.optional().describe('开始时间'),
    minutes: z.coerce.number().int().min(0).max(600).default(0).describe('时长（分钟）'),
    content: interventionContent.describe('干预内容'),
    effect: z.coerce.number().int().min(1).max(5).optional().describe('效果'),
  }),
  response: z.object({ interfereid: z.number() }),
});

/** Corrects an intervention of the caller. The log of its case keeps the old text. */
export const updateInterfere = defineAction({
  name: 'as.m.interfere.updateInterfere',
  title: '修改干预记录',
  allow: helpers,
  kind: 'write',
  edits: { table: 'interfere', key: 'interfereid' },
  request: z.strictObject({
    interfereid,
    version: editVersion,
    kind: z.enum(InterfereKind.codes).optional().describe('干预方式'),
    begintime: moment.optional().describe('开始时间'),
    minutes: z.coerce.number().int().min(0).max(600).optional().describe('时长（分钟）'),
    content: interventionContent.optional().describe('干预内容'),
    effect: z.coerce.number().int().min(1).max(5).nullish().describe('效果'),
  }),
  response: z.object(newVersion),
});
/** Deletes an intervention of the caller with a reason. */
export const deleteInterfere = defineAction({
  name: 'as.m.interfere.deleteInterfere',
  title: '删除干预记录',
  allow: helpers,
  kind: 'write',
  request: z.strictObject({
    interfereid,
    reason: z.string().trim().min(1, '请填写删除原因').max(500).describe('删除原因'),
  }),
  response: z.object({}),
});

/** The interventions with a person, the newest first. */
export const getInterfereList = defineAction({
  name: 'as.m.interfere.getInterfereList',
  title: '查询干预记录',
  allow: staffOf('warning.handle', 'care.edit'),
  kind: 'reveal',
  person: ({ cuserid }) => [cuserid],
  request: z.strictObject({ cuserid: z.string().max(20), warningcode: z.string().max(20).optional() }),
  response: z.array(
    z.object({
      interfereid: z.number(),
      version: z.number(),
      kind: z.string(),
      begintime: z.string(),
      minutes: z.number(),
      content: z.string(),
      effect: z.number().nullable(),
      operatorname: z.string(),
      warningcode: z.string().nullable(),
    }),
  ),
});
