import { isSuspectedGuardian } from '#domain/warning/suspect.ts';
import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { findCustomRules } from '#features/warning/warninglist.queries.ts';
import { describeTriggers } from '#features/warning/list/triggerText.ts';
import { findGuardians } from '#features/warning/cases/caseDetail.queries.ts';
import * as queries from '#features/warning/transfer/transfer.queries.ts';
import { PACKAGE_COLUMN, type TransferPackage } from '#features/warning/transfer/transferPackage.ts';
import type { WarningRecord } from '#features/warning/warning.queries.ts';

/** The only institution of the platform with exactly this name; undefined for a receiver outside the platform. */
export async function findTarget(
  { scope }: Pick<Context<'staff'>, 'scope'>,
  receiver: string,
): Promise<queries.TransferTarget | undefined> {
  const named = (await queries.findTargets(scope, receiver)).filter(({ insname }) => insname === receiver);
  return named.length === 1 ? named[0] : undefined;
}

/**
 * Sends a case to the institution of the platform that begins `to`. A job opens the linked case there within a minute. `logtext` is the
 * line of the transfer in the log of the case: `to`, then the summary for the receiver.
 */
export async function sendTransfer(
  { scope, cipher, now, caller }: Pick<Context<'staff'>, 'scope' | 'cipher' | 'now' | 'caller'>,
  row: WarningRecord,
  { to, logtext }: { to: string; logtext: string },
): Promise<void> {
  const target = await findTarget({ scope }, to.split(' · ')[0] ?? '');
  if (!target) throw problems.notFound({ what: '接收机构' }, { field: 'receiver' });
  const person = await queries.findTransferPerson(scope, row.cuserid);
  const owner = await queries.findContact(scope, row.owneruserid);
  const open = (sealed: string | null) => sealed && cipher.decrypt(row.musercode, 'cuser.phone', sealed);
  // Ground 1 of an exemption says that the guardians are suspected, without a name.
  const guardians = row.exemptground === 1 ? [] : await findGuardians(scope, row.cuserid);
  const content: TransferPackage = {
    username: person.username,
    gender: person.gender,
    birthday: person.birthday,
    appid: person.appid,
    phonenumber: open(person.phonesealed),
    address: person.address,
    guardians: guardians
      .filter((guardian) => !isSuspectedGuardian(row.suspectname, guardian))
      .map(({ name, relation, phonesealed }) => ({ name, relation, phonenumber: open(phonesealed) })),
    suspectname: row.suspectname,
    selfharm: row.itemtrigger === 1,
    reason: describeTriggers({ ...row, customrules: await findCustomRules(scope, row.rulecodes) }).join('；'),
    summary: logtext.startsWith(`${to}：`) ? logtext.slice(to.length + 1) : logtext,
  };
  await queries.addTransfer(scope, {
    warningcode: row.warningcode,
    cuserid: row.cuserid,
    musercode: row.musercode,
    receivercode: target.musercode,
    receiverpath: target.orgpath,
    sendername: person.insname,
    contact: owner ?? caller.name,
    level: row.level,
    personsealed: cipher.encrypt(target.musercode, PACKAGE_COLUMN, JSON.stringify(content)),
    createtime: now,
  });
}
