import { shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import * as enums from '#domain/base/enums.ts';
import { CONSENT_SCOPES } from '#domain/exam/consent.ts';
import { archiveFieldsOf } from '#domain/person/archive.ts';
import { archiveValueText } from '#domain/person/ownFields.ts';
import { levelName } from '#domain/warning/levels.ts';
import type { Answer } from '#domain/scoring/scale.ts';
import { xlsxMime } from '#contract/file.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { spool } from '#server/export/spool.ts';
import { permittedPopulations } from '#server/security/population.ts';
import { writeWorkbook, type ExportRow, type ExportSheet } from '#server/workbook/write.ts';
import { auditKindLabels } from '#features/audit/audit.labels.ts';
import { exportPersonCopy } from '#features/anonymize/anonymize.contract.ts';
import * as queries from '#features/anonymize/copy/copy.queries.ts';
import { LEFT_OUT, LEFT_OUT_FOR_GUARDIANS } from '#features/anonymize/copy/leftOut.ts';
import { reportLines } from '#features/anonymize/copy/reportLines.ts';
import { countMinorsToday } from '#features/approval/requireApproval.ts';
import { findOwnFields } from '#features/archivefield/archivefield.queries.ts';
import { openAnswers, openText } from '#features/consult/consultSeal.ts';
import { findCUser } from '#features/cuser/cuser.queries.ts';
import { toAnswerRows } from '#features/examdata/answers.ts';
import { assertReadsResults } from '#features/examdata/examRights.ts';
import { scaleFor } from '#features/form/scaleCache.ts';
import { isSuspectedBy } from '#features/report/report.queries.ts';
import { findReportTexts } from '#features/report/renderReport.ts';

/** What the sheets of one copy share. */
interface Copying {
  ctx: Context<'staff'>;
  people: queries.People;
  sector: string;
  isGuardian: boolean;
}

const RELATIONS: Readonly<Record<string, string>> = { '01': '父亲', '02': '母亲', '03': '其他监护人' };
const GUARDIAN_STATUS = ['等待', '已核实同意', '不同意', '作答已删除'];
const WITHDRAWN_BY: Readonly<Record<string, string>> = { '01': '本人', '02': '工作人员代办', '03': '监护人' };
const ANONYMIZATIONS: Readonly<Record<string, string>> = {
  '01': '等待复核',
  '02': '已完成',
  '03': '退回',
  '04': '撤回',
  '05': '过期',
};
const CASE_EVENTS: Readonly<Record<string, string>> = { open: '开案', close: '结案', referral: '转介' };
const ROLES: Readonly<Record<string, string>> = { person: '本人', institution: '机构主账号', system: '系统', staff: '工作人员' };
const time = (value: Date | null) => value && shanghaiTime(value);

async function persons({ ctx: { scope, cipher }, people }: Copying): Promise<ExportRow[]> {
  const rows: ExportRow[] = [];
  const add = (part: string, facts: readonly (readonly [string, string | number | null | undefined])[]) => {
    for (const [name, value] of facts) if (value !== null && value !== undefined && value !== '') rows.push([part, name, value]);
  };
  for (const row of await queries.findPersons(scope, people)) {
    const open = (column: 'cuser.phone' | 'cuser.idno', sealed: string | null) =>
      sealed && cipher.decrypt(row.musercode, column, sealed);
    add(row.cuserid === people[0] ? '本人' : '并入的旧档案', [
      ['编号', row.cuserid],
      ['机构', row.insname],
      ['人群', enums.Appid.label(row.appid)],
      ['姓名', row.username],
      ['性别', enums.Gender.label(row.gender)],
      ['出生日期', row.birthday],
      ['电话', open('cuser.phone', row.phonesealed)],
      ['证件号码', open('cuser.idno', row.idnosealed)],
      ['民族', row.nation],
      ['学历', row.education],
      ['婚姻', row.marital],
      ['地区', row.district],
      ['住址', row.address],
      ['心理状态', enums.MentalState.label(row.mentalstate)],
      ['负责人', row.owner],
      ['建档时间', time(row.createtime)],
    ]);
  }
  for (const {
    musercode,
    appid,
    archiveno,
    opendate,
    closedate,
    summary,
    closenote,
    columns,
    detail,
  } of await queries.findArchives(scope, people)) {
    const own = (await findOwnFields(scope, musercode))(appid);
    const fields = [...(archiveFieldsOf[appid] ?? []), ...own];
    const values: Record<string, unknown> = { ...columns, ...detail };
    const named = new Map(fields.map((field) => [field.code, field]));
    add(`档案 ${archiveno}`, [
      ['开档日期', opendate],
      ['结档日期', closedate],
      ['摘要', summary],
      ['结档说明', closenote],
      ...Object.keys(values).map((key) => [named.get(key)?.title ?? key, archiveValueText(named.get(key), values[key])] as const),
    ]);
  }
  return rows;
}

async function guardians({ ctx: { scope, cipher }, people }: Copying): Promise<ExportRow[]> {
  const listed = await queries.findGuardians(scope, people);
  const consents = await queries.findGuardianConsents(scope, people);
  return [
    ...listed.map(({ musercode, name, relation, phonesealed }) => [
      '监护人',
      name,
      RELATIONS[relation] ?? relation,
      phonesealed && cipher.decrypt(musercode, 'cuser.phone', phonesealed),
      null,
    ]),
    ...consents.map(({ status, claimedname, sincetime, verifiedtime }) => [
      '监护人同意',
      claimedname,
      GUARDIAN_STATUS[status],
      null,
      time(verifiedtime ?? sincetime),
    ]),
  ];
}

async function answers({ ctx: { scope }, people }: Copying): Promise<ExportRow[]> {
  const sheets = await queries.findSheets(scope, people);
  const bySheet = new Map(sheets.map((sheet) => [sheet.examformid, sheet]));
  const rows: ExportRow[] = [];
  for (const sheet of sheets)
    for (const { title, optionlabel, score } of toAnswerRows(
      await scaleFor(scope, sheet.formcode, sheet.formversion),
      sheet.answers,
      sheet.raw,
    ))
      if (optionlabel !== '') rows.push([time(sheet.time), sheet.formname, title, optionlabel, score, '']);
  for (const { examformid, kind, questionc, value, answertime } of await queries.findOtherAnswers(scope, people)) {
    const sheet = bySheet.get(examformid);
    if (!sheet) continue;
    const [given] = await nameAnswers(scope, sheet, { [questionc]: value });
    if (given) rows.push([time(answertime), sheet.formname, ...given, null, kind]);
  }
  return rows;
}

/** The answers with the words of the questions and options; '' is no answer. */
const nameAnswers = async (
  scope: Copying['ctx']['scope'],
  { formcode, formversion }: { formcode: string; formversion: string },
  given: Readonly<Record<string, Answer>>,
): Promise<[string, string][]> =>
  toAnswerRows(await scaleFor(scope, formcode, formversion), given, null)
    .filter(({ optionlabel }) => optionlabel !== '')
    .map(({ title, optionlabel }) => [title, optionlabel]);

async function reports({ ctx: { scope }, people }: Copying): Promise<ExportRow[]> {
  const rows: ExportRow[] = [];
  for (const { reportcode, title, createtime } of await queries.findShownReports(scope, people))
    for (const line of reportLines((await findReportTexts(scope, reportcode)).self))
      rows.push([time(createtime), title, ...line]);
  return rows;
}

async function consults({ ctx: { scope, cipher }, people, isGuardian }: Copying): Promise<ExportRow[]> {
  const rows: ExportRow[] = [];
  for (const row of await queries.findConsults(scope, people, isGuardian)) {
    const { musercode, formcode, formversion } = row;
    const own =
      formcode !== null && formversion !== null
        ? await nameAnswers(scope, { formcode, formversion }, openAnswers(cipher, musercode, row.answers))
        : [];
    rows.push([
      time(row.applytime),
      time(row.slotbegin),
      time(row.slotend),
      row.room,
      enums.ConsultType.label(row.consulttype),
      enums.ConsultSource.label(row.source),
      enums.ConsultStatus.label(row.status),
      row.counsellor,
      row.topics.map((topic) => enums.ConsultTopic.label(topic)).join('、'),
      own.map(([title, label]) => `${title}：${label}`).join('；'),
      openText(cipher, musercode, 'consult.summary', row.summary),
    ]);
  }
  return rows;
}

const decisionOf = ({
  kind,
  code,
  ...consent
}: Awaited<ReturnType<typeof queries.findDecisions>>[number]): [what: string, detail: string] => {
  if (kind === 'withdrawal') return ['撤回同意', WITHDRAWN_BY[code] ?? code];
  if (kind === 'anonymization') return ['申请匿名化', ANONYMIZATIONS[code] ?? code];
  const facts = [
    consent.subject === '02' ? '监护人' : '本人',
    consent.agreed === 1 ? '同意' : '不同意',
    consent.hassignature ? '有签名' : '',
    `版本 ${consent.version}`,
  ];
  return [CONSENT_SCOPES[code] ?? code, facts.filter(Boolean).join('，')];
};

/** The sheets of a copy. `isForGuardian: false`: only the person gets it. */
const SHEETS: readonly {
  name: string;
  heads: readonly string[];
  isForGuardian?: false;
  find: (copying: Copying) => Promise<ExportRow[]>;
}[] = [
  { name: '基本资料', heads: ['部分', '项目', '内容'], find: persons },
  { name: '监护人', heads: ['种类', '姓名', '关系/结果', '电话', '时间'], find: guardians },
  {
    name: '班级与任务',
    heads: ['种类', '名称', '开始', '结束'],
    find: async ({ ctx, people }) =>
      (await queries.findPlaces(ctx.scope, people)).map(({ kind, name, begin, end }) => [kind, name, begin, end]),
  },
  {
    name: '测评',
    heads: ['开始时间', '提交时间', '方案', '方式', '状态', '年龄', '所属', '等级', '说明', 'IP', '浏览器'],
    find: async ({ ctx, people, sector }) =>
      (await queries.findExams(ctx.scope, people)).map((row) => [
        time(row.starttime),
        time(row.submittime),
        row.planname,
        enums.Scene.label(row.scenecode),
        enums.ExamStatus.label(row.status),
        row.age,
        row.belongs,
        levelName(row.overalllevel, sector),
        row.withheld === 1 ? '等待监护人同意' : row.valid === 0 ? '无效' : '',
        row.ip,
        row.useragent,
      ]),
  },
  {
    name: '得分',
    heads: ['提交时间', '量表', '指标', '得分', '等级'],
    find: async ({ ctx, people, sector }) =>
      (await queries.findResults(ctx.scope, people)).map((row) => [
        time(row.submittime),
        row.formname,
        row.quotaname,
        row.score,
        row.levelname ?? levelName(row.level, sector),
      ]),
  },
  { name: '作答', heads: ['时间', '量表', '题目', '作答', '计分', '说明'], find: answers },
  { name: '报告', heads: ['生成时间', '报告', '部分', '内容'], find: reports },
  {
    name: '同意与撤回',
    heads: ['时间', '事项', '内容', '撤回/办结时间'],
    find: async ({ ctx, people }) =>
      (await queries.findDecisions(ctx.scope, people)).map((row) => [time(row.time), ...decisionOf(row), time(row.end)]),
  },
  {
    name: '咨询',
    heads: ['申请时间', '开始', '结束', '地点', '方式', '来源', '状态', '咨询师', '主题', '本人填写', '共享小结'],
    find: consults,
  },
  {
    name: '随访与干预',
    heads: ['时间', '种类', '方式', '状态', '内容'],
    isForGuardian: false,
    find: async ({ ctx, people }) =>
      (await queries.findCare(ctx.scope, people)).map(({ kind, code, time: at, status, content }) =>
        kind === 'followup'
          ? [time(at), '随访', enums.FollowMethod.label(code), enums.FollowStatus.label(status), content]
          : [time(at), '干预', enums.InterfereKind.label(code), '', content],
      ),
  },
  {
    name: '个案',
    heads: ['时间', '事项', '等级', '内容'],
    isForGuardian: false,
    find: async ({ ctx, people, sector }) =>
      (await queries.findCases(ctx.scope, people)).map(({ time: at, what, level, detail }) => [
        time(at),
        CASE_EVENTS[what],
        levelName(level, sector),
        what === 'close' ? enums.CloseReason.label(detail) : detail,
      ]),
  },
  {
    name: '安全计划',
    heads: ['时间', '警示信号', '自己能做的', '可以去的地方', '重要的事', '可以求助的人'],
    isForGuardian: false,
    find: async ({ ctx, people }) =>
      (await queries.findSafetyPlans(ctx.scope, people)).map((row) => [
        time(row.time),
        row.warningsigns,
        row.coping,
        row.distractions,
        row.importantthings,
        row.helpers
          .filter(({ issuspect }) => issuspect !== 1)
          .map(({ name, relation }) => [relation, name].filter(Boolean).join(' '))
          .join('、'),
      ]),
  },
  {
    name: '附件',
    heads: ['时间', '文件名', '用途', '字节'],
    find: async ({ ctx, people }) =>
      (await queries.findFiles(ctx.scope, people)).map((row) => [time(row.createtime), row.filename, row.biztype, row.size]),
  },
  {
    name: '课程',
    heads: ['课时', '开始', '完成'],
    find: async ({ ctx, people }) =>
      (await queries.findLessons(ctx.scope, people)).map((row) => [row.title, time(row.begintime), time(row.finishtime)]),
  },
  {
    name: '登录',
    heads: ['时间', 'IP', '浏览器'],
    find: async ({ ctx, people }) =>
      (
        await ctx.pools.authn.query<{ createtime: Date; ip: string | null; useragent: string | null }>(
          'select createtime, ip, useragent from auth.session where cuserid = any ($1) order by createtime',
          [people],
        )
      ).rows.map((row) => [time(row.createtime), row.ip, row.useragent]),
  },
  {
    name: '谁看过',
    heads: ['时间', '角色', '机构', '操作', '类型'],
    find: async ({ ctx, people, isGuardian }) =>
      (await queries.findLooks(ctx.scope, people, isGuardian)).map(({ time: at, role, insname, title, kind }) => [
        time(at),
        ROLES[role] ?? role,
        insname,
        title,
        auditKindLabels[kind as keyof typeof auditKindLabels],
      ]),
  },
];

/** The first sheet: what the copy is, and what it leaves out by which ground. */
function aboutSheet(isGuardian: boolean, note: readonly string[]): ExportSheet {
  const kinds = isGuardian ? [...LEFT_OUT, LEFT_OUT_FOR_GUARDIANS] : LEFT_OUT;
  return {
    name: '说明',
    heads: [
      { head: '不在副本内的资料', width: 44 },
      { head: '依据', width: 44 },
      { head: '原因', width: 60 },
    ],
    rows: kinds.map(({ name, ground, reason }) => [name, ground, reason]),
    note,
  };
}

const WIDTHS = [20, 24, 28, 40, 20, 24];
const orNone = (rows: readonly ExportRow[]): ExportRow[] => (rows.length > 0 ? [...rows] : [['没有记录']]);

const makeCopy = handle(exportPersonCopy, async ({ cuserid, applicant, checked }, ctx) => {
  const { scope, caller, now } = ctx;
  assertReadsResults(caller);
  const person = await findCUser(scope, cuserid);
  // A copy would tell a suspected member of staff what the person said.
  if (!person || (await isSuspectedBy(scope, cuserid))) throw problems.notFound({ what: '受测者' });
  if (person.anonymizedtime) throw problems.wrongState({ why: '该受测者已匿名化，没有可以提供的资料' });
  permittedPopulations(caller, person.appid);
  const isGuardian = applicant === '02';
  const people = await queries.findPeople(scope, cuserid);
  const sector = (await queries.findPersons(scope, [cuserid]))[0]?.sector ?? caller.sector;
  const copying: Copying = { ctx, people, sector, isGuardian };
  const stamp = shanghaiTime(now);
  const sheets: ExportSheet[] = [];
  let count = 0;
  for (const { name, heads, isForGuardian, find } of SHEETS) {
    if (isGuardian && isForGuardian === false) continue;
    const rows = await find(copying);
    count += rows.length;
    sheets.push({ name, heads, rows: orNone(rows), widths: WIDTHS });
  }
  const about = aboutSheet(isGuardian, [
    `本人资料副本（个人信息保护法第四十五条）。申请人：${isGuardian ? '监护人' : '本人'}。${caller.name} 于 ${stamp} 生成`,
    '含敏感个人信息，只交给申请人。交付前请核对文字中是否写有其他人的信息',
    '对不在副本内的资料有异议的，可以向本机构或履行个人信息保护职责的部门提出',
  ]);
  ctx.audit({
    objectid: cuserid,
    minors: (await countMinorsToday(ctx, [cuserid])) > 0,
    detail: { applicant, checked, rows: count },
  });
  return {
    filename: `本人资料副本_${cuserid}_${shanghaiDate(now)}.xlsx`,
    mime: xlsxMime,
    body: await spool(writeWorkbook({ sheets: [about, ...sheets], properties: { 导出人: caller.name, 导出时间: stamp } })),
  };
});

/** The handler of 本人资料副本. */
export const copyHandlers = [makeCopy];
