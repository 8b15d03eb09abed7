import { z } from 'zod';
import {
  ConsultActor,
  ConsultAttendance,
  ConsultOutcome,
  ConsultSource,
  ConsultStatus,
  ConsultTopic,
  ConsultType,
} from '#domain/base/enums.ts';
import { andHolding, CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { exportFields, filterBy, personName, readableBy } from '#contract/fieldAccess.ts';
import { day, editVersion, flag, newVersion } from '#contract/field.ts';
import { file } from '#contract/file.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';

/**
 * 登记表管理: registrations for a consultation, their bookings, and the shared summary. Answers and summaries are read only with 00047
 * (rule `consults`). The private note is in note.contract.ts, hours and calendar in schedule.contract.ts.
 */

export const consultReaders = forTypes(CARE_TYPES, staffOf('consult.forms', 'consult.followups'));
export const consultWriters = forTypes(CARE_TYPES, andHolding(staffOf('consult.forms'), 'care.edit'));

const consultid = z.number().int();
export const consulttype = z.enum(ConsultType.codes, '请选择咨询方式').describe('咨询方式');
const topics = z.array(z.enum(ConsultTopic.codes)).max(9).describe('困扰');
export const summary = z.string().trim().min(1, '请填写咨询摘要').max(2000).describe('咨询摘要');
/** The answers of a form by the code of the item. */
export const consultAnswers = z.record(
  z.string().max(40),
  z.union([z.string().max(2000), z.number(), z.array(z.string().max(40)).max(60), z.null()]),
);
export type ConsultAnswers = z.infer<typeof consultAnswers>;

/** A registration as a row of the list. */
export const consultRow = z.object({
  consultid: z.number(),
  version: z.number(),
  cuserid: z.string(),
  username: personName(),
  belongs: z.string(),
  appid: z.string(),
  musercode: z.string(),
  insname: z.string(),
  source: z.enum(ConsultSource.codes),
  topics: readableBy('consults', z.array(z.string()), []),
  warningcode: readableBy('cases', z.string().nullable()),
  warninglevel: readableBy('cases', z.number().nullable()),
  applytime: z.string(),
  duetime: z.string(),
  isoverdue: z.number(),
  slotbegin: z.string().nullable(),
  slotend: z.string().nullable(),
  counsellor: z.string().nullable(),
  counsellorname: z.string(),
  room: z.string(),
  consulttype: z.enum(ConsultType.codes),
  status: z.enum(ConsultStatus.codes),
  seriesid: z.number().nullable(),
  groupid: z.number().nullable(),
  guardianopen: z.number(),
  outcome: readableBy('consults', z.enum(ConsultOutcome.codes).nullable()),
  nextdate: readableBy('consults', z.string().nullable()),
});
export type ConsultRow = z.infer<typeof consultRow>;

const filters = {
  keyword: z.string().trim().max(50).optional().describe('姓名/编号'),
  /** open: waiting, booked or missed; overdue: waiting beyond its time; today: booked for today; all */
  view: z.enum(['open', 'overdue', 'today', 'all']).default('open').describe('范围'),
  status: z.enum(ConsultStatus.codes).optional().describe('状态'),
  counsellor: z.string().max(20).optional().describe('咨询师'),
  topic: filterBy('consults', z.enum(ConsultTopic.codes).optional().describe('困扰')),
  source: z.enum(ConsultSource.codes).optional().describe('来源'),
  /** by the time of the application */
  begindate: day.optional().describe('开始日期'),
  enddate: day.optional().describe('结束日期'),
  /** by the day of the booking */
  bookedfrom: day.optional().describe('预约日期起'),
  bookedto: day.optional().describe('预约日期止'),
  mine: flag.optional().describe('我的'),
  cuserid: z.string().max(20).optional(),
  warningcode: z.string().max(20).optional(),
};

/** A page of the registrations in the caller's reach: those with an open case first, then by time. */
export const getConsultPageList = defineAction({
  name: 'as.m.consult.getConsultPageList',
  title: '查询咨询登记',
  allow: consultReaders,
  kind: 'read',
  request: pageRequest.extend({ orderby: sortedBy('applytime', 'slotbegin'), ...filters }),
  response: pageOf(consultRow),
});

/** The numbers above the list, in the caller's reach. */
export const getConsultCount = defineAction({
  name: 'as.m.consult.getConsultCount',
  title: '查询咨询登记数量',
  allow: consultReaders,
  kind: 'read',
  request: z.strictObject({}),
  response: z.object({ open: z.number(), overdue: z.number(), today: z.number(), mine: z.number() }),
});

/** A registration with its answers, its summary and what happened. The private note is not in it. */
export const getConsultDetail = defineAction({
  name: 'as.m.consult.getConsultDetail',
  title: '查看咨询登记',
  allow: consultReaders,
  kind: 'reveal',
  person: () => [],
  request: z.strictObject({ consultid }),
  response: consultRow.extend({
    formname: z.string(),
    /** the questions of the form in order, with the answers as text; empty for readers without 00047 */
    answers: readableBy('consults', z.array(z.object({ c: z.string(), title: z.string(), text: z.string() })), []),
    attendance: readableBy('consults', z.enum(ConsultAttendance.codes).nullable()),
    currentlevel: readableBy('consults', z.number().nullable()),
    summary: readableBy('consults', z.string(), ''),
    donetime: z.string().nullable(),
    cancelby: z.enum(ConsultActor.codes).nullable(),
    cancelreason: readableBy('consults', z.string(), ''),
    /** the caller is its counsellor */
    isown: z.number(),
    /** the caller has a private note of it, an own one or one that passed on; of the notes of others nobody learns */
    hasnote: z.number(),
    /** the steps that the caller can take now (domain/consult) */
    steps: z.array(z.enum(['book', 'move', 'finish', 'miss', 'cancel', 'append'])),
    log: z.array(
      z.object({
        action: z.string(),
        content: readableBy('consults', z.string(), ''),
        operatorname: z.string(),
        time: z.string(),
      }),
    ),
    /** the other bookings of its weekly series */
    series: z.array(z.object({ consultid: z.number(), slotbegin: z.string().nullable(), status: z.enum(ConsultStatus.codes) })),
  }),
});

export type ConsultDetail = z.infer<(typeof getConsultDetail)['response']>;

/** Enters a registration for a person, with the answers of a form or without a form. Returns it and the case that an answer raised. */
export const insertConsult = defineAction({
  name: 'as.m.consult.insertConsult',
  title: '新增咨询登记',
  allow: consultWriters,
  kind: 'write',
  person: ({ cuserid }) => [cuserid],
  request: z.strictObject({
    cuserid: z.string().min(1, '请选择受测者').max(20).describe('受测者'),
    formcode: z.string().max(20).optional().describe('登记表'),
    answers: consultAnswers.optional().describe('登记内容'),
    consulttype: consulttype.default('01'),
    topics: topics.default([]),
    /** the case that it comes from (source 03) */
    warningcode: z.string().max(20).optional(),
  }),
  response: z.object({ consultid: z.number(), warningcode: readableBy('cases', z.string().nullable()) }),
});

/** Corrects a registration: kind and topics while it is open, the summary by its counsellor after it. */
export const updateConsult = defineAction({
  name: 'as.m.consult.updateConsult',
  title: '修改咨询登记',
  allow: consultWriters,
  kind: 'write',
  edits: { table: 'consult', key: 'consultid', isPrivate: true },
  request: z.strictObject({
    consultid,
    version: editVersion,
    consulttype: consulttype.optional(),
    topics: topics.optional(),
    attendance: z.enum(ConsultAttendance.codes).optional().describe('到访'),
    currentlevel: z.coerce.number().int().min(0).max(4).optional().describe('当前状态'),
    nextdate: day.nullable().optional().describe('下次日期'),
    summary: summary.optional(),
  }),
  response: z.object({ ...newVersion }),
});

/** Deletes a registration that was entered by mistake. A finished or missed one is a record and stays (130003). */
export const deleteConsult = defineAction({
  name: 'as.m.consult.deleteConsult',
  title: '删除咨询登记',
  allow: consultWriters,
  kind: 'write',
  request: z.strictObject({ consultid }),
  response: z.object({}),
});

/** The columns of the export. It has neither answers nor notes. */
export const consultColumns = exportFields(
  { head: '姓名', rule: 'names' },
  '所属',
  '机构',
  '来源',
  { head: '困扰', rule: 'consults' },
  { head: '个案编号', rule: 'cases' },
  '申请时间',
  '预约时间',
  '咨询师',
  '咨询室',
  '方式',
  '状态',
  { head: '结果', rule: 'consults' },
  { head: '下次日期', rule: 'consults' },
);
/** Exports the registrations of the filters. Those of minors need an approval. */
export const exportConsultList = defineAction({
  name: 'as.m.consult.exportConsultList',
  title: '导出咨询登记',
  allow: andHolding(consultReaders, 'archive.export'),
  kind: 'export',
  columns: consultColumns,
  request: z.strictObject({ ...filters, approvalid: z.number().int().optional() }),
  response: file,
});
