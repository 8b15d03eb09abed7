import type { WarningLevelCode } from '#domain/warning/warningfacts.ts';
import { isAcceptancePending } from '#domain/warning/warningfacts.ts';
import { transition } from '#domain/warning/warning.ts';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import type { Scope } from '#server/db/scope.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import type { Services } from '#server/dispatch/services.ts';
import { createPersons } from '#features/cuser/createPersons.ts';
import { addNotices, caseLink } from '#features/warning/alerts/notify.queries.ts';
import { openCase } from '#features/warning/alerts/openCase.queries.ts';
import { PACKAGE_COLUMN, type TransferPackage } from '#features/warning/transfer/transferPackage.ts';
import * as queries from '#features/warning/transfer/transfer.queries.ts';
import {
  addLog,
  findLastHandler,
  findSector,
  findWarning,
  isMinor,
  loadFacts,
  saveFacts,
} from '#features/warning/warning.queries.ts';

type Tools = Pick<Services, 'pools' | 'cipher'>;
const system = { operator: null, operatorname: '系统' };

/**
 * Carries out the transfers inside the platform: opens the linked case at the receiver, notes its acceptance, and takes that as the
 * receipt to the sender's case. Each step has the session of its own institution. A failed transfer does not stop the others; returns
 * the failures.
 */
export async function carryOutTransfers(services: Tools, now: Date): Promise<{ transferid: number; error: string }[]> {
  const failed: { transferid: number; error: string }[] = [];
  const unfinished = await runAsSystem(services.pools, platformCode, queries.findUnfinishedTransfers);
  for (const { transferid, musercode, receivercode } of unfinished) {
    try {
      await runAsSystem(services.pools, receivercode, (scope) => openLinkedCase(scope, services, transferid, now));
      await runAsSystem(services.pools, musercode, (scope) => takeReceipt(scope, transferid, now));
    } catch (error) {
      failed.push({ transferid, error: error instanceof Error ? error.message : String(error) });
    }
  }
  return failed;
}

/** Opens the linked case of a transfer, or notes that the receiver has accepted it. */
async function openLinkedCase(scope: Scope, { cipher }: Tools, transferid: number, now: Date): Promise<void> {
  const transfer = await queries.lockTransfer(scope, transferid);
  if (!transfer || transfer.accepttime) return;
  if (transfer.linkedcode) return noteAcceptance(scope, transfer);
  const { receivercode, sendername, warningcode } = transfer;
  const sent = JSON.parse(cipher.decrypt(receivercode, PACKAGE_COLUMN, transfer.personsealed)) as TransferPackage;
  const phonehashes = sent.phonenumber ? cipher.blindIndexes(receivercode, 'cuser.phone', sent.phonenumber) : [];
  const appids = await queries.findAppids(scope, receivercode);
  const appid = appids.includes(sent.appid) ? sent.appid : (appids[0] ?? sent.appid);
  const known = await queries.findSamePerson(scope, { warningcode, receivercode, username: sent.username, phonehashes });
  const [created] = known
    ? [known]
    : await createPersons({ scope, cipher, now }, { musercode: receivercode, appid, source: '01', createby: receivercode }, [
        { ...sent, archive: { columns: {}, detail: {} } },
      ]);
  const { warningcode: linkedcode, joined } = await openCase(scope, {
    cuserid: created!.cuserid,
    musercode: receivercode,
    appid: known?.appid ?? appid,
    trigger: {
      source: '06',
      level: transfer.level as WarningLevelCode,
      itemtrigger: sent.selfharm,
      isnews: true,
      rulecodes: [],
      alerts: [],
      alertmsgs: [`${sendername}转入：${sent.reason}。移交情况：${sent.summary}`],
    },
    time: now,
    isMinor: isMinor({ birthday: sent.birthday, appid: sent.appid }, now),
    sector: await findSector(scope, receivercode),
    ...(sent.suspectname && { suspect: { suspectuserids: [], suspectname: sent.suspectname } }),
  });
  const linked = await findWarning(scope, linkedcode);
  await addLog(scope, linked, {
    action: '转入',
    time: now,
    content: `${sendername}的个案 ${warningcode} 移交至此${joined ? '，并入在办个案' : ''}。对方联系人：${transfer.contact}`,
    ...system,
  });
  await queries.saveTransfer(scope, transferid, { linkedcode });
}

/** Notes the acceptance of the linked case since its last news: it is the receipt. */
async function noteAcceptance(scope: Scope, { transferid, linkedcode }: queries.TransferRow): Promise<void> {
  const { accepttime, acceptno, newstime, newsno, state } = await findWarning(scope, linkedcode!);
  const facts = { accepttime, acceptno, newstime, newsno, state: state as '01' };
  if (accepttime === null || isAcceptancePending(facts)) return;
  const handler = await findLastHandler(scope, linkedcode!, '受理');
  await queries.saveTransfer(scope, transferid, { accepttime, acceptname: handler?.operatorname ?? '' });
}

/** Takes the acceptance of the receiver to the sender's case. An older transfer of the case settles nothing. */
async function takeReceipt(scope: Scope, transferid: number, now: Date): Promise<void> {
  const transfer = await queries.lockTransfer(scope, transferid);
  if (!transfer) return;
  const { warningcode, linkedcode, accepttime, acceptname, receivercode } = transfer;
  if (linkedcode && !accepttime) return noteLink(scope, transfer, now);
  if (!accepttime) return;
  const row = await findWarning(scope, warningcode, true);
  const facts = await loadFacts(scope, row, now);
  const { sent } = await queries.findTransferLinks(scope, warningcode);
  await queries.saveTransfer(scope, transferid, { receipttime: now });
  if (sent?.transferid !== transferid || !facts.transfer?.islinked || facts.transfer.receipttime) return;
  const result = transition(facts, { kind: 'receive', accepttime }, { now, userid: '', human: [] });
  if (!result.ok) throw new Error(result.reasons.join('；'));
  await saveFacts(scope, warningcode, facts, result.after, {
    action: '移交回执',
    time: now,
    content: `接收方${acceptname}已于 ${shanghaiTime(accepttime).slice(0, 16)} 受理关联个案 ${linkedcode}`,
    detail: { linkedcode, receivercode },
    ...system,
  });
  if (row.owneruserid)
    await addNotices(scope, [
      {
        musercode: row.musercode,
        userid: row.owneruserid,
        kind: 'warning',
        title: '移交已被受理',
        content: '接收方已受理关联个案。请核对告知与复核后，以“转出/移交”结案。',
        link: caseLink(warningcode),
        dedupekey: `transfer:${transferid}:accepted`,
        createtime: now,
        warningcode,
        infokind: 4,
      },
    ]);
}

/** Names the linked case in the log of the sender's case, once. */
async function noteLink(scope: Scope, { warningcode, linkedcode }: queries.TransferRow, now: Date): Promise<void> {
  const content = `接收方已建立关联个案 ${linkedcode}，待对方受理`;
  const row = await findWarning(scope, warningcode);
  const noted = await scope.db
    .selectFrom('warninglog')
    .select('logid')
    .where('warningcode', '=', warningcode)
    .where('content', '=', content)
    .executeTakeFirst();
  if (!noted) await addLog(scope, row, { action: '移交', time: now, content, ...system });
}
