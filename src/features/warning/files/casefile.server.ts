import { addDays, fromShanghai, shanghaiDate } from '#domain/base/calendar.ts';
import { RETURN_FOLLOW_DAYS, findReturnFaults } from '#domain/warning/decision/returnassess.ts';
import { isOpen } from '#domain/warning/warningfacts.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { claimFiles, fileRefOf } from '#features/file/attachments.ts';
import { findFile, removeFile } from '#features/file/file.queries.ts';
import * as contract from '#features/warning/files/casefile.contract.ts';
import * as queries from '#features/warning/files/casefile.queries.ts';
import { addFollowUps } from '#features/warning/cases/caseDetail.queries.ts';
import {
  lockCase,
  operatorOf,
  saveTransition,
  assertVersion,
  type LockedCase,
  type StaffContext,
} from '#features/warning/handling/transition.ts';

/**
 * Attaches files that the caller has uploaded to a case that is locked in this transaction. Handlers of the case can then read
 * them. Throws 130001 for files of another account and for files in use. Does nothing without files.
 */
export async function attachCaseFiles(
  ctx: StaffContext,
  { row }: Pick<LockedCase, 'row'>,
  fileids: readonly string[],
  kind: contract.CaseFileKind,
): Promise<void> {
  if (fileids.length === 0) return;
  const { warningcode, cuserid, musercode } = row;
  if (musercode !== ctx.caller.musercode) throw problems.invalid({ message: '附件由个案所在机构上传' }, { field: 'fileids' });
  await claimFiles(ctx, fileids, 'case', { refcode: `warning:${warningcode}`, cuserid });
  const { operator, operatorname } = operatorOf(ctx.caller);
  await queries.addCaseFiles(
    ctx.scope,
    [...new Set(fileids)].map((fileid) => ({
      fileid,
      warningcode,
      cuserid,
      musercode,
      kind,
      createby: operator,
      createbyname: operatorname,
      createtime: ctx.now,
    })),
  );
}

const attachCaseFile = handle(contract.attachCaseFile, async ({ warningcode, version, kind, fileids }, ctx) => {
  const lockedCase = await lockCase(ctx, warningcode);
  await assertVersion(ctx, lockedCase, version);
  await attachCaseFiles(ctx, lockedCase, fileids, kind);
  const content = `${contract.caseFileKinds[kind]} ${new Set(fileids).size} 份`;
  return saveTransition(ctx, lockedCase, lockedCase.facts, { action: '上传附件', content, attach: fileids });
});

const openCaseFile = handle(contract.openCaseFile, async ({ warningcode, fileid }, ctx) => {
  if (ctx.caller.ownTeamsOnly) throw problems.notAllowed();
  const caseFile = await queries.findCaseFile(ctx.scope, warningcode, fileid);
  const file = caseFile && (await findFile(ctx.scope, fileid));
  if (!caseFile || !file) throw problems.notFound({ what: '附件' });
  ctx.audit({ cuserids: [caseFile.cuserid], objectid: fileid, detail: { warningcode, kind: caseFile.kind } });
  const { url, filename, mime } = fileRefOf(ctx, file);
  return { url, filename, mime };
});

const deleteCaseFile = handle(contract.deleteCaseFile, async ({ warningcode, version, fileid, reason }, ctx) => {
  const lockedCase = await lockCase(ctx, warningcode);
  await assertVersion(ctx, lockedCase, version);
  const caseFile = await queries.findCaseFile(ctx.scope, warningcode, fileid);
  const file = caseFile && (await findFile(ctx.scope, fileid));
  if (!caseFile || !file) throw problems.notFound({ what: '附件' });
  if (!isOpen(lockedCase.facts)) throw problems.wrongState({ why: '个案已结束，附件不能删除' });
  if (await queries.isUsedByReturn(ctx.scope, warningcode, fileid))
    throw problems.inUse({ why: '复学评估以此附件为依据，不能删除' });
  await queries.markCaseFileDeleted(ctx.scope, fileid, reason);
  await removeFile(ctx.scope, fileid);
  ctx.afterCommit(() => ctx.storage.delete(file.path));
  const kind = contract.caseFileKinds[caseFile.kind as contract.CaseFileKind];
  return saveTransition(ctx, lockedCase, lockedCase.facts, {
    action: '删除附件',
    content: `${kind}：${reason}`,
    detail: { fileid },
  });
});

const insertReturnAssess = handle(
  contract.insertReturnAssess,
  async ({ warningcode, version, fileids, returndate, ...entry }, ctx) => {
    const lockedCase = await lockCase(ctx, warningcode);
    const { row, facts } = lockedCase;
    const uniqueFileids = [...new Set(fileids)];
    const reasons = findReturnFaults(
      facts,
      { ...entry, guardianagreed: entry.guardianagreed === 1, returndate: returndate ?? '', papers: uniqueFileids.length },
      ctx.now,
    );
    if (entry.assessdate > shanghaiDate(ctx.now))
      throw problems.invalid({ message: '评估日期不能晚于今天' }, { field: 'assessdate' });
    if (reasons.length > 0) throw problems.wrongState({ why: reasons.join('；') }, { data: { reasons } });
    await assertVersion(ctx, lockedCase, version);
    await attachCaseFiles(ctx, lockedCase, uniqueFileids, '04');
    const { operator, operatorname } = operatorOf(ctx.caller);
    const { returnid } = await queries.addReturn(ctx.scope, {
      ...entry,
      returndate: returndate || null,
      fileids: uniqueFileids,
      warningcode,
      cuserid: row.cuserid,
      musercode: row.musercode,
      operator,
      operatorname,
      time: ctx.now,
    });
    // A person who returns gets a follow-up within RETURN_FOLLOW_DAYS, unless one is already planned.
    const due =
      returndate && entry.conclusion !== '03' ? addDays(fromShanghai(`${returndate} 17:00`), RETURN_FOLLOW_DAYS) : undefined;
    const hasAppointment = facts.followups.some(
      ({ status, duetime }) => status === '01' && due !== undefined && duetime > ctx.now && duetime <= due,
    );
    const added =
      due && due > ctx.now && !hasAppointment
        ? await addFollowUps(ctx.scope, [
            {
              cuserid: row.cuserid,
              musercode: row.musercode,
              warningcode,
              planname: '复学随访',
              seq: facts.followups.length + 1,
              duetime: due,
              method: '01',
              operator,
              createtime: ctx.now,
            },
          ])
        : [];
    const after = {
      ...facts,
      followups: [...facts.followups, ...added.map(({ duetime }) => ({ duetime, status: '01' as const, donetime: null }))],
    };
    const content = [
      contract.returnConclusions[entry.conclusion],
      entry.hospital && `资料：${entry.hospital}`,
      returndate && `返校日期 ${returndate}`,
      entry.conditions && `条件：${entry.conditions}`,
      entry.supportplan && `支持计划：${entry.supportplan}`,
      due && added.length > 0 && `已安排 ${shanghaiDate(due)} 随访`,
    ].filter(Boolean);
    const changed = await saveTransition(ctx, lockedCase, after, {
      action: '复学评估',
      content: content.join('。'),
      attach: uniqueFileids,
      detail: { returnid },
    });
    return { ...changed, returnid };
  },
);

export const casefileHandlers = [attachCaseFile, openCaseFile, deleteCaseFile, insertReturnAssess];
