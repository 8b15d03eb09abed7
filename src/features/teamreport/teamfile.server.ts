import { shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { WarningState } from '#domain/base/enums.ts';
import { levelName } from '#domain/warning/levels.ts';
import { xlsxMime } from '#contract/file.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { printTeamReport } from '#server/pdf/render.ts';
import { writeTeamReport } from '#server/pdf/team/teamDocx.ts';
import { writeWorksheet } from '#server/workbook/write.ts';
import { exportSubject } from '#features/approval/exportSubjects.ts';
import { requireApproval } from '#features/approval/requireApproval.ts';
import { openLetterheads } from '#features/reportpdf/printSheet.ts';
import { toVerifyCode, verifyLink } from '#features/reportpdf/verifyCode.ts';
import { findOpenCases } from '#features/teamreport/facts.queries.ts';
import { openScope } from '#features/teamreport/scopeFilters.ts';
import * as contract from '#features/teamreport/teamfile.contract.ts';
import { readTeamReport } from '#features/teamreport/teamreport.server.ts';

type StaffContext = Context<'staff'>;
const docxMime = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** The report for a file. Owners of classes read it on the screen only. */
async function readWhole(ctx: StaffContext, teamreportcode: string, version?: number) {
  const report = await readTeamReport(ctx, { teamreportcode, ...(version ? { version } : {}), isReviewedOnly: true });
  if (report.isOwner) throw problems.notAllowed();
  return report;
}

const exportTeamReport = handle(contract.exportTeamReport, async ({ teamreportcode, version, format }, ctx) => {
  const { caller, now, audit, cipher, publicUrl } = ctx;
  const report = await readWhole(ctx, teamreportcode, version);
  const code = toVerifyCode(cipher, teamreportcode, report.version);
  const letterhead = (await openLetterheads(ctx, [report.musercode])).get(report.musercode);
  const sheet = {
    institution: report.insname,
    accent: '#43a777',
    ...letterhead,
    content: report.content,
    subject: report.title,
    version: report.version,
    reportcode: teamreportcode,
    reader: `${caller.name} ${caller.accountid}`,
    printtime: now,
    hasAiText: report.hasText,
    verify: { url: verifyLink(publicUrl, code), code },
  };
  audit({ objectid: teamreportcode, detail: { version: report.version, format } });
  const filename = `团体报告_${teamreportcode}_第${report.version}版.${format}`;
  return format === 'docx'
    ? { filename, mime: docxMime, body: await writeTeamReport(sheet) }
    : { filename, mime: 'application/pdf', body: (await printTeamReport(sheet)).bytes };
});

/** The persons with an open case in the scope of a report, with the words of their institution. */
async function findAnnex(ctx: StaffContext, teamreportcode: string) {
  const report = await readWhole(ctx, teamreportcode);
  const { filters, words } = await openScope(ctx, report.scope);
  return { report, words, rows: await findOpenCases(ctx.scope, filters) };
}

const exportTeamReportAnnex = handle(contract.exportTeamReportAnnex, async ({ teamreportcode, approvalid }, ctx) => {
  const { caller, now, audit } = ctx;
  const { report, words, rows } = await findAnnex(ctx, teamreportcode);
  const cuserids = rows.map(({ cuserid }) => cuserid);
  const { minors } = await requireApproval(ctx, 'as.m.report.exportTeamReportAnnex', { teamreportcode }, approvalid, cuserids, {
    isSingleFree: true,
  });
  audit({ objectid: teamreportcode, cuserids, minors: minors > 0, detail: { rows: rows.length, approvalid } });
  return {
    filename: `团体报告名单附件_${teamreportcode}_${shanghaiDate(now)}.xlsx`,
    mime: xlsxMime,
    body: writeWorksheet({
      name: '重点对象',
      heads: contract.exportTeamReportAnnex.columns ?? [],
      reader: caller,
      rows: rows.map((row) => [
        row.username,
        row.belongs,
        levelName(row.level, words.sector),
        WarningState.label(row.state as '01'),
        row.ownername,
        row.nextdue ? shanghaiTime(row.nextdue).slice(0, 16) : '',
      ]),
      note: [
        `${report.title}（${teamreportcode}）的名单附件：当前未结案的危机预警，共 ${rows.length} 人`,
        `${caller.name} 于 ${shanghaiTime(now)} 导出。含个人敏感信息，只供处置人员使用，不得转发。筛查结果不等于医学诊断。`,
      ],
      properties: { 导出人: caller.name, 导出时间: shanghaiTime(now) },
    }),
  };
});

export const teamFileHandlers = [exportTeamReport, exportTeamReportAnnex];

/** The export of this feature that may need an approval. */
export const teamFileSubjects = {
  'as.m.report.exportTeamReportAnnex': exportSubject(contract.exportTeamReportAnnex, async ({ teamreportcode }, ctx) =>
    (await findAnnex(ctx, teamreportcode)).rows.map(({ cuserid }) => cuserid),
  ),
};
