import { addDays, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { eraseDay } from '#domain/exam/consent.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import { claimFiles } from '#features/file/attachments.ts';
import { findCurrentConsent } from '#features/consent/consentFacts.ts';
import * as contract from '#features/consent/guardian/guardian.contract.ts';
import {
  findConsentPerson,
  findGuardianConsent,
  findRosterGuardian,
  openGuardianConsent,
} from '#features/consent/guardian/guardian.queries.ts';
import { readGuardianCode } from '#features/consent/guardian/guardianCode.ts';
import * as list from '#features/consent/guardian/guardianlist.queries.ts';
import { guardianClassHandlers } from '#features/consent/guardian/guardianClass.server.ts';
import { openForDecision } from '#features/consent/guardian/decide.ts';
import { settleGuardians } from '#features/consent/guardian/settleGuardians.ts';
import { withdrawConsent, type Receipt } from '#features/consent/withdrawal/withdraw.ts';

const getGuardianConsentPageList = handle(contract.getGuardianConsentPageList, async (filters, { scope, caller }) => {
  const { total, rows } = await list.findGuardianConsents(scope, filters);
  return {
    total,
    rows: rows.map(({ codesealed, erasedtime, hasphone, ...row }) => ({
      ...row,
      kind: row.kind as '01' | '02',
      username: displayName(caller, row.username),
      sincetime: shanghaiTime(row.sincetime),
      erasedate: row.kind === '01' && row.status === 0 ? shanghaiDate(addDays(row.sincetime, eraseDay)) : '',
      iserased: erasedtime ? 1 : 0,
      hasphone: hasphone ? 1 : 0,
      hascode: codesealed ? 1 : 0,
      claimedname: row.claimedname ? displayName(caller, row.claimedname) : '',
      method: row.method ?? '',
      verifiedname: row.verifiedname ?? '',
      verifiedtime: row.verifiedtime ? shanghaiTime(row.verifiedtime) : '',
    })),
  };
});

const revealGuardianCode = handle(contract.revealGuardianCode, async ({ cuserid }, { scope, cipher }) => {
  const [person] = await list.findPersons(scope, [cuserid]);
  if (!person) throw problems.notFound({ what: '受测者' });
  const guardian = await findRosterGuardian(scope, cuserid);
  const codesealed = (await list.findWaitingCode(scope, cuserid))?.codesealed;
  return {
    name: guardian?.name ?? '',
    relation: guardian?.relation ?? '',
    phonenumber: guardian?.phonesealed ? cipher.decrypt(person.musercode, 'cuser.phone', guardian.phonesealed) : '',
    code: codesealed ? readGuardianCode(cipher, person.musercode, codesealed) : '',
  };
});

const verifyGuardianConsent = handle(contract.verifyGuardianConsent, async ({ cuserids, method, remark, fileids }, ctx) => {
  const { scope, caller, now } = ctx;
  const uniqueIds = [...new Set(cuserids)];
  const persons = await list.findPersons(scope, uniqueIds);
  const [first] = persons;
  if (!first || persons.length < uniqueIds.length) throw problems.notFound({ what: '受测者' });
  const { musercode } = first;
  if (persons.some((person) => person.musercode !== musercode))
    throw problems.invalid({ message: '一次只能登记同一机构的人员' }, { field: 'cuserids' });
  const { facts, version } = await findCurrentConsent(scope, musercode);
  const dutyIds: string[] = [];
  for (const cuserid of uniqueIds) {
    const person = await findConsentPerson(scope, cuserid, facts.terms.teenguardian, now);
    const kind = person?.duty;
    if (!kind) continue;
    await openGuardianConsent(scope, { cuserid, musercode, kind, version, now });
    dutyIds.push(cuserid);
  }
  if (dutyIds.length === 0) throw problems.wrongState({ why: '所选人员不需要监护人同意或告知' });
  const [fileid = null] = fileids;
  if (fileids.length)
    await claimFiles(ctx, fileids, 'consent', { refcode: `guardianconsent:${first.cuserid}`, cuserid: first.cuserid });
  const verifiedIds = await settleGuardians(scope, dutyIds, {
    status: 1,
    method,
    verifiedby: caller.accountid,
    remark,
    fileid,
    now,
  });
  ctx.audit({ cuserids: verifiedIds, detail: { method }, minors: true });
  return { verified: verifiedIds.length };
});

const refuseGuardianConsent = handle(contract.refuseGuardianConsent, async ({ cuserid, remark }, ctx) => {
  const { scope, caller, now } = ctx;
  const [person] = await list.findPersons(scope, [cuserid]);
  if (!person) throw problems.notFound({ what: '受测者' });
  await openForDecision(scope, { cuserid, musercode: person.musercode, now });
  await settleGuardians(scope, [cuserid], { status: 2, method: '03', verifiedby: caller.accountid, remark, now });
  ctx.audit({ cuserids: [cuserid], minors: true });
  return {};
});

const toReceipt = ({ time, ...receipt }: Receipt) => ({ ...receipt, time: shanghaiTime(time) });

const withdrawForCUser = handle(contract.withdrawForCUser, async ({ cuserid, reason }, { scope, caller, now, audit }) => {
  const receipt = await withdrawConsent(scope, { cuserid, source: '02', reason, createby: caller.accountid, now });
  audit({ cuserids: [cuserid] });
  return toReceipt(receipt);
});

const getCUserConsent = handle(contract.getCUserConsent, async ({ cuserid }, { scope }) => {
  const consent = await list.findLastConsent(scope, cuserid);
  const guardian = await findGuardianConsent(scope, cuserid);
  const withdrawal = await list.findLastWithdrawal(scope, cuserid);
  const lists = withdrawal?.receipt as Pick<Receipt, 'deleted' | 'kept'> | undefined;
  return {
    agreetime: consent ? shanghaiTime(consent.agreetime) : '',
    version: consent?.consentversion ?? '',
    text: consent?.text ?? '',
    guardian: guardian ? { kind: guardian.kind as '01' | '02', status: guardian.status } : null,
    withdrawal:
      withdrawal && lists
        ? {
            time: shanghaiTime(withdrawal.time),
            duedate: shanghaiDate(withdrawal.duetime),
            donetime: withdrawal.donetime ? shanghaiTime(withdrawal.donetime) : '',
            ...lists,
          }
        : null,
  };
});

export const guardianConsentHandlers = [
  getGuardianConsentPageList,
  revealGuardianCode,
  verifyGuardianConsent,
  refuseGuardianConsent,
  withdrawForCUser,
  getCUserConsent,
  ...guardianClassHandlers,
];
