import { addHours, shanghaiTime } from '#domain/base/calendar.ts';
import { codesOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context, type Handler } from '#server/dispatch/handle.ts';
import * as contract from '#features/approval/approval.contract.ts';
import { countMinorsToday } from '#features/approval/requireApproval.ts';
import * as queries from '#features/approval/approval.queries.ts';
import { findExportPersons, type ExportSubjects } from '#features/approval/exportSubjects.ts';

/** Hours in which an approved export can be downloaded. */
const OPEN_HOURS = 24;
const exportCodes = codesOf(['exam.export']);
/** Whether these staff decide requests. Class teachers and staff without the export right only apply. */
const isDecider = ({ ownTeamsOnly, codes }: Context<'staff'>['caller']) =>
  !ownTeamsOnly && exportCodes.some((code) => codes.has(code));

const getAccessApprovalPageList = handle(contract.getAccessApprovalPageList, async (request, { scope, caller, now }) => {
  const { musercode, accountid } = caller;
  const { total, rows } = await queries.findApprovals(scope, { ...request, musercode, accountid, canReadAll: isDecider(caller) });
  return {
    total,
    rows: rows.map((row) => ({
      ...row,
      filter: row.filter as Record<string, unknown>,
      approvername: row.approvername ?? '',
      createtime: shanghaiTime(row.createtime),
      decidetime: row.decidetime && shanghaiTime(row.decidetime),
      validuntil: row.validuntil && shanghaiTime(row.validuntil),
      mine: row.applicant === accountid ? 1 : 0,
      decidable: row.status === 0 && row.applicant !== accountid && !caller.loginasby ? 1 : 0,
      open: row.status === 1 && row.applicant === accountid && row.validuntil !== null && row.validuntil > now ? 1 : 0,
    })),
  };
});

/** Makes the handler of new requests for these exports. */
const insertAccessApproval = (subjects: ExportSubjects) =>
  handle(contract.insertAccessApproval, async ({ call, filter, purpose }, ctx) => {
    const { scope, caller, now } = ctx;
    const { cuserids, filters } = await findExportPersons(subjects, ctx, call, filter);
    const persons = new Set(cuserids).size;
    if (persons === 0) throw problems.invalid({ message: '筛选结果为空，没有可导出的数据' }, { field: 'filter' });
    const minors = await countMinorsToday(ctx, cuserids);
    const title = contract.gatedCalls[call];
    const { musercode, accountid, name } = caller;
    const { approvalid } = await queries.addApproval(scope, {
      musercode,
      applicant: accountid,
      applicantname: name,
      call,
      title,
      filter: JSON.stringify(filters),
      purpose,
      persons,
      minors,
      createtime: now,
    });
    const deciders = (await queries.findDeciders(scope, musercode, exportCodes)).filter((userid) => userid !== accountid);
    await queries.addNotices(
      scope,
      deciders.map((userid) => ({
        musercode,
        userid,
        title: `${name}申请导出${title}`,
        content: `共 ${persons} 人，其中未成年人 ${minors} 人。用途：${purpose}`,
        dedupekey: `approval:${approvalid}:${userid}`,
        createtime: now,
      })),
    );
    ctx.audit({ objectid: String(approvalid), minors: minors > 0, detail: { call, persons, minors } });
    return { approvalid, persons, minors };
  });

/** A request of the caller's institution. Refuses (130001) those of other institutions. */
async function findOwnRequest({ scope, caller }: Context<'staff'>, approvalid: number) {
  const row = await queries.findApproval(scope, approvalid);
  if (!row || row.musercode !== caller.musercode) throw problems.notFound({ what: '导出申请' });
  return row;
}
const alreadyDecided = () => problems.wrongState({ why: '该申请已处理' });

const decideAccessApproval = handle(contract.decideAccessApproval, async ({ approvalid, agreed, reason }, ctx) => {
  const { scope, caller, now } = ctx;
  const row = await findOwnRequest(ctx, approvalid);
  if (!isDecider(caller) || caller.loginasby) throw problems.notAllowed();
  if (row.applicant === caller.accountid) throw problems.wrongState({ why: '申请人不能审批自己的申请，须由第二人审批' });
  const validuntil = agreed ? addHours(now, OPEN_HOURS) : null;
  const { accountid, name } = caller;
  const isSaved = await queries.saveDecision(scope, approvalid, {
    status: agreed ? 1 : 2,
    approver: accountid,
    approvername: name,
    reason,
    decidetime: now,
    validuntil,
  });
  if (!isSaved) throw alreadyDecided();
  await queries.addNotices(scope, [
    {
      musercode: row.musercode,
      userid: row.applicant,
      title: agreed ? `导出${row.title}已获同意` : `导出${row.title}未获同意`,
      content: validuntil ? `请在 ${shanghaiTime(validuntil).slice(0, 16)} 前下载。审批人：${name}` : `${name}：${reason}`,
      dedupekey: `approval:${approvalid}:decided`,
      createtime: now,
    },
  ]);
  ctx.audit({ objectid: String(approvalid), minors: row.minors > 0, detail: { agreed, applicant: row.applicant } });
  return { validuntil: validuntil && shanghaiTime(validuntil) };
});

const withdrawAccessApproval = handle(contract.withdrawAccessApproval, async ({ approvalid }, ctx) => {
  const row = await findOwnRequest(ctx, approvalid);
  if (row.applicant !== ctx.caller.accountid) throw problems.notFound({ what: '导出申请' });
  if (!(await queries.saveDecision(ctx.scope, approvalid, { status: 3, decidetime: ctx.now }))) throw alreadyDecided();
  ctx.audit({ objectid: String(approvalid) });
  return {};
});

/** The handlers of approvals for these exports. */
export const approvalHandlers = (subjects: ExportSubjects): readonly Handler[] => [
  getAccessApprovalPageList,
  insertAccessApproval(subjects),
  decideAccessApproval,
  withdrawAccessApproval,
];
