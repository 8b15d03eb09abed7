import { isSuspectedGuardian } from '#domain/warning/suspect.ts';
import { handle } from '#server/dispatch/handle.ts';
import type { StaffContext } from '#features/warning/handling/transition.ts';
import { findGuardians } from '#features/warning/cases/caseDetail.queries.ts';
import { getTransferTargets as contract } from '#features/warning/transfer/transfer.contract.ts';
import {
  addTransfer,
  findTargets,
  findTransferPerson,
  type TransferTarget,
} from '#features/warning/transfer/transfer.queries.ts';
import { describeTriggers } from '#features/warning/warningrow.ts';
import { PACKAGE_COLUMN, type TransferPackage } from '#features/warning/transfer/transferPackage.ts';
import type { WarningRecord } from '#features/warning/warning.queries.ts';

/** The only institution of the platform with exactly this name; undefined for a receiver outside the platform. */
export async function findTarget({ scope }: Pick<StaffContext, 'scope'>, receiver: string): Promise<TransferTarget | undefined> {
  const named = (await findTargets(scope, receiver)).filter(({ insname }) => insname === receiver);
  return named.length === 1 ? named[0] : undefined;
}

/** Sends a case to an institution of the platform. A job opens the linked case there within a minute. */
export async function sendTransfer(
  { scope, cipher, now, caller }: StaffContext,
  row: WarningRecord,
  target: TransferTarget,
  { summary, contact }: { summary: string; contact: string },
): Promise<void> {
  const person = await findTransferPerson(scope, row.cuserid);
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
    reason: describeTriggers(row).join('；'),
    summary,
  };
  await addTransfer(scope, {
    warningcode: row.warningcode,
    cuserid: row.cuserid,
    musercode: row.musercode,
    receivercode: target.musercode,
    receiverpath: target.orgpath,
    sendername: person.insname,
    contact: `${caller.name}${contact ? ` ${contact}` : ''}`,
    level: row.level,
    personsealed: cipher.encrypt(target.musercode, PACKAGE_COLUMN, JSON.stringify(content)),
    createtime: now,
  });
}

const getTransferTargets = handle(contract, async ({ keyword }, { scope }) =>
  (await findTargets(scope, keyword)).map(({ musercode, insname, regionname }) => ({ musercode, insname, regionname })),
);

export const transferHandlers = [getTransferTargets];
