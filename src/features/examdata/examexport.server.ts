import { shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { Appid, Gender, MentalState, ReportStatus, YesNo } from '#domain/base/enums.ts';
import { compileScale } from '#domain/scoring/compiledScale.ts';
import { xlsxMime } from '#contract/file.ts';
import { populationsOf } from '#contract/population.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { asofWords } from '#server/export/asof.ts';
import { countProgress, groupRows, inChunks } from '#server/export/inChunks.ts';
import { spool } from '#server/export/spool.ts';
import { permittedPopulations } from '#server/security/population.ts';
import { writeWorkbook, type ExportCell, type ExportColumn, type ExportSheet } from '#server/workbook/write.ts';
import { exportSubject } from '#features/approval/exportSubjects.ts';
import { requireApproval } from '#features/approval/requireApproval.ts';
import { findStageNames } from '#features/archive/archive.queries.ts';
import { scaleFor } from '#features/form/scaleCache.ts';
import { filterReports, type ReportFilters } from '#features/report/report.queries.ts';
import { titleOf, toAnswerRows } from '#features/examdata/answers.ts';
import * as contract from '#features/examdata/examdata.contract.ts';
import { limitsOf } from '#features/examdata/examdata.server.ts';
import { assertReadsResults, canReadAnswers } from '#features/examdata/examRights.ts';
import * as queries from '#features/examdata/examdata.queries.ts';

type StaffContext = Context<'staff'>;
type StageName = Awaited<ReturnType<typeof findStageNames>>;

/** Writes the workbook to its end while the transaction is open, and returns it as a file. */
async function toFile(ctx: StaffContext, title: string, sheets: readonly ExportSheet[]) {
  const { caller, now } = ctx;
  return {
    filename: `${title}_${shanghaiDate(now)}.xlsx`,
    mime: xlsxMime,
    body: await spool(
      writeWorkbook({
        sheets: sheets.map((sheet) => ({ reader: caller, ...sheet })),
        properties: { 导出人: caller.name, 导出时间: shanghaiTime(now) },
      }),
    ),
  };
}
const noteOf = (ctx: StaffContext, content: string) =>
  `${ctx.caller.name} 于 ${shanghaiTime(ctx.now)} 导出${asofWords(ctx)}，${content}。含个人敏感信息，仅限工作使用，不得转发。筛查结果不等于医学诊断。`;

/** The two columns of each indicator. */
const quotaColumns = (quotas: readonly queries.QuotaRow[], nameOf: (quota: queries.QuotaRow) => string): ExportColumn[] =>
  quotas.flatMap((quota): ExportColumn[] => [
    { head: nameOf(quota), kind: 'number', rule: 'results' },
    { head: `${nameOf(quota)} 等级`, width: 14, rule: 'results' },
  ]);
/** The cells of these columns. */
function quotaCells(
  quotas: readonly queries.QuotaRow[],
  scores: ReadonlyMap<string, queries.ScoreRow> | undefined,
): ExportCell[] {
  return quotas.flatMap(({ quotacode }) => {
    const row = scores?.get(quotacode);
    return [row?.score, row?.levelname];
  });
}
/** The scores by owner and indicator. */
function groupScores<Key>(rows: readonly queries.ScoreRow[], keyOf: (row: queries.ScoreRow) => Key) {
  const groups = new Map<Key, Map<string, queries.ScoreRow>>();
  for (const row of rows) {
    const group = groups.get(keyOf(row)) ?? new Map<string, queries.ScoreRow>();
    groups.set(keyOf(row), group.set(row.quotacode, row));
  }
  return groups;
}

/** The items of a questionnaire in all versions of its sheets, each once. */
async function findItems({ scope }: StaffContext, keys: readonly queries.SheetKey[]) {
  const items = new Map<string, string>();
  const formcode = keys[0]?.formcode ?? '';
  for (const version of new Set(keys.map((key) => key.formversion)))
    for (const [index, { item }] of compileScale(await scaleFor(scope, formcode, version)).items.entries())
      if (!items.has(item.c)) items.set(item.c, `${index + 1}. ${titleOf(item.t, index + 1)}`);
  return items;
}

/** The worksheet of one questionnaire. */
async function formSheet(
  ctx: StaffContext,
  keys: readonly queries.SheetKey[],
  more: { needsAnswers: boolean; stageName: StageName; onRead: (count: number) => void },
): Promise<ExportSheet> {
  const { scope } = ctx;
  const { formcode = '', formname = '' } = keys[0] ?? {};
  const quotas = await queries.findQuotas(scope, [formcode]);
  const items = more.needsAnswers ? await findItems(ctx, keys) : new Map<string, string>();
  async function* rows() {
    const ids = keys.map((key) => key.examformid);
    const read = async (chunk: readonly number[]) => {
      const [sheets, scores] = [await queries.findSheets(scope, chunk, more), await queries.findScores(scope, chunk)];
      const scoresOf = groupScores(scores, (row) => row.examformid);
      return sheets.map((sheet) => ({ sheet, scores: scoresOf.get(sheet.examformid) }));
    };
    for await (const { sheet, scores } of inChunks(ids, read, more.onRead))
      yield [
        sheet.cuserid,
        sheet.username,
        sheet.personno,
        Gender.label(sheet.gender),
        sheet.age,
        Appid.label(sheet.appid),
        sheet.insname,
        sheet.belongs,
        sheet.planname,
        more.stageName(sheet.appid, sheet.stagecode),
        sheet.taskname,
        sheet.formversion,
        shanghaiTime(sheet.submittime),
        sheet.duration,
        sheet.valid === 1 ? '有效' : '作答存疑',
        ...quotaCells(quotas, scores),
        ...(await itemCells(ctx, sheet, [...items.keys()])),
      ];
  }
  return {
    name: formname,
    heads: [
      ...contract.sheetColumns,
      ...quotaColumns(quotas, (quota) => quota.quotaname),
      ...[...items.values()].map((head): ExportColumn => ({ head, rule: 'answers', width: 14 })),
    ],
    rows: rows(),
    note: noteOf(ctx, `${formname}，共 ${keys.length} 份`),
  };
}

/** The score of each item; the text of an answer without a score. */
async function itemCells({ scope }: StaffContext, sheet: queries.SheetRow, codes: readonly string[]): Promise<ExportCell[]> {
  if (codes.length === 0 || !sheet.answers) return codes.map(() => null);
  const scale = await scaleFor(scope, sheet.formcode, sheet.formversion);
  const answers = toAnswerRows(scale, sheet.answers, sheet.raw);
  const byCode = new Map(compileScale(scale).items.map(({ item }, index) => [item.c, answers[index]]));
  return codes.map((itemcode) => {
    const answer = byCode.get(itemcode);
    return answer?.score ?? answer?.optionlabel;
  });
}

type SheetRequest = Omit<queries.SheetFilters, 'appids' | 'phonehashes'> & { answers: number };
/** The sheets of an export. */
function findExportSheets({ answers: _answers, ...filters }: SheetRequest, ctx: StaffContext) {
  assertReadsResults(ctx.caller);
  return queries.findSheetKeys(ctx.scope, { ...filters, ...limitsOf(ctx, filters) });
}
const needsAnswersIn = ({ answers }: { answers: number }, { caller }: StaffContext) => answers === 1 && canReadAnswers(caller);

const exportCUserExamData = handle(
  contract.exportCUserExamData,
  async ({ approvalid, ...filters }, ctx) => {
    const keys = await findExportSheets(filters, ctx);
    const needsAnswers = needsAnswersIn(filters, ctx);
    const cuserids = keys.map((key) => key.cuserid);
    const { minors } = await requireApproval(ctx, 'as.m.exam.exportCUserExamData', filters, approvalid, cuserids, {
      isSingleFree: true,
      hasAnswers: needsAnswers,
    });
    const stageName = await findStageNames(ctx.scope);
    const onRead = countProgress(ctx.progress, keys.length);
    const sheets: ExportSheet[] = [];
    for (const group of groupRows(keys, (key) => key.formcode).values())
      sheets.push(await formSheet(ctx, group, { needsAnswers, stageName, onRead }));
    if (sheets.length === 0)
      sheets.push({ name: '测评数据', heads: contract.sheetColumns, rows: [], note: noteOf(ctx, '共 0 份') });
    ctx.audit({
      cuserids: [...new Set(cuserids)],
      minors: minors > 0,
      detail: { filters, rows: keys.length, answers: needsAnswers ? 1 : 0, approvalid },
    });
    return toFile(ctx, '测评数据', sheets);
  },
  { readsReplica: true },
);

type DetailRequest = Omit<ReportFilters, 'appids' | 'phonehashes'>;
/** The reports of an export, the newest first. */
function findExportReports(filters: DetailRequest, ctx: StaffContext) {
  assertReadsResults(ctx.caller);
  return filterReports(ctx.scope, { ...filters, ...limitsOf(ctx, filters) })
    .select(['r.reportcode', 'r.examcode', 'r.cuserid'])
    .orderBy('r.createtime', 'desc')
    .orderBy('r.reportcode', 'desc')
    .execute();
}

const exportCUserDetailData = handle(
  contract.exportCUserDetailData,
  async ({ approvalid, ...filters }, ctx) => {
    const { scope } = ctx;
    const keys = await findExportReports(filters, ctx);
    const cuserids = keys.map((key) => key.cuserid);
    const { minors } = await requireApproval(ctx, 'as.m.exam.exportCUserDetailData', filters, approvalid, cuserids, {
      isSingleFree: true,
    });
    const formcodes = await queries.findFormsOfExams(
      scope,
      keys.map((key) => key.examcode),
    );
    const quotas = await queries.findQuotas(scope, formcodes);
    const stageName = await findStageNames(scope);
    const onRead = countProgress(ctx.progress, keys.length);
    async function* rows() {
      const read = async (chunk: readonly { reportcode: string; examcode: string }[]) => {
        const reports = await queries.findReportDetails(
          scope,
          chunk.map((key) => key.reportcode),
        );
        const scores = await queries.findScoresOfExams(
          scope,
          chunk.map((key) => key.examcode),
        );
        const scoresOf = groupScores(scores, (row) => row.examcode);
        return reports.map((report) => ({ report, scores: scoresOf.get(report.examcode) }));
      };
      for await (const { report, scores } of inChunks(keys, read, onRead))
        yield [
          report.reportcode,
          report.cuserid,
          report.username,
          report.personno,
          Gender.label(report.gender),
          report.age,
          Appid.label(report.appid),
          report.insname,
          report.belongs,
          report.planname,
          stageName(report.appid, report.stagecode),
          report.taskname,
          shanghaiTime(report.submittime),
          report.valid === 1 ? '有效' : '作答存疑',
          MentalState.label(report.mentalstate ?? MentalState.none),
          YesNo.label(report.isabnormal),
          ReportStatus.label(report.status),
          YesNo.label(report.isshow),
          ...quotaCells(quotas, scores),
        ];
    }
    ctx.audit({ cuserids: [...new Set(cuserids)], minors: minors > 0, detail: { filters, rows: keys.length, approvalid } });
    return toFile(ctx, '测评明细', [
      {
        name: '测评明细',
        heads: [...contract.detailColumns, ...quotaColumns(quotas, (quota) => `${quota.formname} ${quota.quotaname}`)],
        rows: rows(),
        note: noteOf(ctx, `共 ${keys.length} 份报告`),
      },
    ]);
  },
  { readsReplica: true },
);

const GROUPS = [
  ['all', '全部'],
  ['institution', '机构'],
  ['grade', '年级'],
  ['class', '班级'],
  ['stage', '阶段'],
  ['unit', '单位'],
  ['gender', '性别'],
] as const;
const LEVELS = [0, 1, 2, 3, 4] as const;
const percentOf = (count: number, n: number) => Math.round((count / n) * 1000) / 10;

const exportCUserStatData = handle(
  contract.exportCUserStatData,
  async (filters, ctx) => {
    const { scope, caller } = ctx;
    assertReadsResults(caller);
    // A reader of the statistics alone has no population's screen and reads the counts of all.
    const readsNoPersons = populationsOf(caller.codes)?.length === 0;
    const limits = readsNoPersons ? { appids: null, phonehashes: undefined } : limitsOf(ctx, filters);
    if (!readsNoPersons) permittedPopulations(caller, filters.appid);
    const counts = await queries.countLevels(scope, filterReports(scope, { ...filters, ...limits }).select('r.examcode'));
    const stageName = await findStageNames(scope);
    const nameOf = ({ kind, name }: queries.LevelCount) => {
      if (kind === 'gender') return Gender.label(name);
      if (kind !== 'stage') return name;
      const [appid = '', stagecode = ''] = name.split(' ');
      return stageName(appid, stagecode);
    };
    const quotas = await queries.findQuotas(scope, [...new Set(counts.map((row) => row.quotacode.split('.')[0] as string))]);
    const hasOneInstitution = new Set(counts.filter((row) => row.kind === 'institution').map((row) => row.name)).size <= 1;
    const rows: ExportCell[][] = [];
    for (const quota of quotas)
      for (const [kind, title] of GROUPS) {
        if (kind === 'institution' && hasOneInstitution) continue;
        const own = counts.filter((row) => row.quotacode === quota.quotacode && row.kind === kind);
        for (const [name, group] of [...groupRows(own, nameOf)].sort(([a], [b]) => a.localeCompare(b, 'zh', { numeric: true }))) {
          const levels = LEVELS.map((level) => group.reduce((sum, row) => sum + (row.level === level ? row.count : 0), 0));
          const n = levels.reduce((sum, count) => sum + count, 0);
          rows.push([
            quota.formname,
            quota.quotaname,
            title,
            name || '全部',
            n,
            ...levels,
            ...levels.map((count) => percentOf(count, n)),
          ]);
        }
      }
    ctx.audit({ detail: { filters, rows: rows.length } });
    const { now } = ctx;
    return toFile(ctx, '测评统计', [
      {
        name: '测评统计',
        heads: contract.statColumns,
        rows,
        note: `${caller.name} 于 ${shanghaiTime(now)} 导出。只统计有效作答，n 为有该指标等级的人次；等级 0 为无提示，4 为最重。筛查结果不等于医学诊断。`,
      },
    ]);
  },
  { readsReplica: true },
);

export const examExportHandlers = [exportCUserExamData, exportCUserDetailData, exportCUserStatData];

/** The exports of this feature that may need an approval. */
export const examExportSubjects = {
  'as.m.exam.exportCUserExamData': exportSubject(contract.exportCUserExamData, async (filters, ctx) =>
    (await findExportSheets(filters, ctx)).map((key) => key.cuserid),
  ),
  'as.m.exam.exportCUserDetailData': exportSubject(contract.exportCUserDetailData, async (filters, ctx) =>
    (await findExportReports(filters, ctx)).map((key) => key.cuserid),
  ),
};
