import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { addDays, fromShanghai } from '#domain/base/calendar.ts';
import * as exportJob from '#contract/exportJob.ts';
import { getAnonymization, getAnonymizationReceipt } from '#features/anonymize/anonymize.contract.ts';
import { insertAccessApproval } from '#features/approval/approval.contract.ts';
import * as care from '#features/care/care.contract.ts';
import * as booking from '#features/consult/booking/booking.contract.ts';
import { saveConsultNote } from '#features/consult/note/note.contract.ts';
import { withdrawForCUser } from '#features/consent/guardian/guardian.contract.ts';
import { insertCUser, updateCUser } from '#features/cuser/cuser.contract.ts';
import { enableCUser } from '#features/cuser/leaving/leaving.contract.ts';
import { cleanupFiles } from '#features/file/cleanup.ts';
import { getEntry, loginRespondent, submitConsent } from '#features/respond/respond.contract.ts';
import { updateReport } from '#features/report/report.contract.ts';
import { endLegalHold, insertLegalHold } from '#features/retention/retention.contract.ts';
import { voidExam } from '#features/staffexam/void.contract.ts';
import { insertAssessTask } from '#features/task/task.contract.ts';
import { folders } from '#server/storage/storage.ts';
import { aClassOf, aConsult, anonymizeLin } from '#testing/factories.ts';
import { png } from '#testing/files/picture.ts';
import { answerTask, screening } from '#testing/school.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** What names 林小雨, and a word that stands in every text that somebody typed about her. */
const WORDS = ['林小雨', '林建国', '20230301', '13800001111', '13900002222', '2010-07-08', '3-201', '金丝雀'];

/** Columns that the features seal themselves, with the column to which each seal is bound. */
const OWN_SEALS: Readonly<Record<string, string>> = {
  'public.cuser.phonesealed': 'cuser.phone',
  'public.cuser.idnosealed': 'cuser.idno',
  'public.guardian.phonesealed': 'cuser.phone',
  'public.consult.answers': 'consult.answers',
  'public.consult.summary': 'consult.summary',
  'public.consultlog.content': 'consultlog.content',
  'public.consultnote.note': 'consultnote.note',
};

/** The columns in which one of the words stands, all seals opened; each once. */
async function findWords({ sqlAsOwner, services }: TestServer): Promise<string[]> {
  const columns = await sqlAsOwner<{ name: string; table: string; column: string }>(
    `select n.nspname || '.' || c.relname as name, format('%I.%I', n.nspname, c.relname) as table, a.attname as column
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'auth', 'audit', 'rollup') and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped`,
  );
  expect(columns.length).toBeGreaterThan(900);
  const found = new Set<string>();
  for (const { name, table, column } of columns) {
    const seal = OWN_SEALS[`${name}.${column}`];
    // The driver opens sealed texts, also inside a longer text.
    const rows = await sqlAsOwner<{ value: string; musercode?: string }>(
      `select "${column}"::text as value ${seal ? ', musercode' : ''} from ${table} where "${column}" is not null`,
    );
    for (const { value, musercode } of rows) {
      const text = seal ? services.cipher.decrypt(musercode ?? '', seal, value) : value;
      for (const word of WORDS) if (text.includes(word)) found.add(`${name}.${column} ${word}`);
    }
  }
  return [...found].sort();
}

/** What the audit log keeps: the reasons of staff in it never change (the receipt says so). */
const KEPT = ['audit.log.detail 林小雨', 'audit.log.detail 金丝雀'];

/** The number of files in the store. */
async function countFiles({ services }: TestServer): Promise<number> {
  let count = 0;
  for (const folder of folders)
    for await (const { key } of services.storage.list(folder)) {
      await buffer(await services.storage.get(key));
      count++;
    }
  return count;
}

/** 林小雨 with everything that the product stores about a person, and words about her in every text. */
async function everywhere() {
  const server = await startServer();
  const { as, nobody, withToken, clock, sqlAsOwner } = server;
  const { cuserid } = await as('chen')(insertCUser, {
    appid: '000000002',
    username: '林小雨',
    gender: '02',
    birthday: '2010-07-08',
    phonenumber: '13800001111',
    archive: { studentno: '20230301', gradename: '初三', classname: '3班', dorm: '3-201', remark: '金丝雀：喜欢画画' },
    guardian: [{ name: '林建国', relation: '01', phonenumber: '13900002222' }],
  });
  const lin = { cuserid, username: '林小雨', studentno: '20230301' };
  const { teamcode } = await aClassOf(server, [cuserid]);
  await as('chen')(insertAssessTask, screening([teamcode]));
  const { token } = await nobody(loginRespondent, { clientcode: 'entry_chenguang', username: lin.username, key: lin.studentno });
  const { consent } = await nobody(getEntry, { clientcode: 'entry_chenguang' });
  await withToken(token)(submitConsent, {
    consentversion: consent.version,
    scopes: ['01', '02'],
    agreed: 1,
    guardian: { name: '林建国', relation: '01' },
    signature: `data:image/png;base64,${(await png()).toString('base64')}`,
  });
  const { examcode } = await answerTask(server, lin);
  const [report] = await sqlAsOwner<{ reportcode: string }>('select reportcode from report');
  await as('chen')(updateReport, {
    reportcode: report?.reportcode ?? '',
    version: 1,
    conclusion: '金丝雀',
    advice: '请林建国陪伴',
  });
  await as('chen')(voidExam, { examcode, reason: '金丝雀：代答' });
  const consultid = await aConsult(server, cuserid);
  await as('chen')(booking.appointConsult, {
    consultid,
    counsellor: 'U_CHEN',
    slotbegin: '2025-10-09 14:00',
    slotend: '2025-10-09 14:50',
  });
  clock.now = fromShanghai('2025-10-09 15:00');
  await as('chen')(booking.finishConsult, { consultid, currentlevel: 1, outcome: '02', summary: '金丝雀：林小雨好转' });
  await as('chen')(booking.appendConsult, { consultid, content: '金丝雀：林建国来电' });
  await as('chen')(saveConsultNote, { consultid, note: '金丝雀：林小雨' });
  const { followupids } = await as('chen')(care.insertFollowUp, { cuserid, duetime: '2025-10-20 10:00' });
  await as('chen')(care.finishFollowUp, {
    followupid: followupids[0] ?? 0,
    content: '金丝雀：林小雨',
    currentlevel: 1,
    nextduetime: '2025-11-20 10:00',
  });
  await as('chen')(care.insertInterfere, { cuserid, kind: '01', content: '金丝雀：林小雨', begintime: '2025-10-09 14:30' });
  const { version } = (await sqlAsOwner<{ version: number }>('select version from cuser where cuserid = $1', [cuserid]))[0]!;
  await as('chen')(updateCUser, { cuserid, version, phonenumber: '13800001111', archive: { remark: '金丝雀：爱跑步' } });
  await as('chen')(exportJob.insertExport, { action: 'as.m.cuser.exportCuserList', request: { keyword: '林小雨' } });
  await as('chen')(insertAccessApproval, {
    call: 'as.m.cuser.exportCuserList',
    filter: { keyword: '林小雨' },
    purpose: '给林小雨办理转学',
  });
  await as('chen')(enableCUser, { cuserid, enabled: 0, reason: '金丝雀：林小雨休学' });
  await as('chen')(enableCUser, { cuserid, enabled: 1 });
  const wrong = { clientcode: 'entry_chenguang', username: lin.username, key: '20230302' };
  await expect(nobody(loginRespondent, wrong)).rejects.toThrow();
  await as('chen')(withdrawForCUser, { cuserid, reason: '金丝雀：父亲来校提出' });
  await as('chen')(insertLegalHold, { cuserid, reason: '金丝雀：林小雨的诉讼' });
  await as('chen')(endLegalHold, { cuserid, reason: '金丝雀：诉讼结束' });
  return { ...server, server, cuserid };
}

test('after 匿名化 no column and no file has the name, numbers or words about the person; only reasons in the audit log stay', async () => {
  const { server, cuserid } = await everywhere();
  const before = await findWords(server);
  expect(before.length).toBeGreaterThan(25);
  expect(await countFiles(server)).toBe(1);
  await anonymizeLin(server, cuserid);
  expect(await findWords(server)).toEqual(KEPT);
  expect(await countFiles(server)).toBe(0);
});

test('the receipt shown before the question is kept with the request, in numbers without a name', async () => {
  const { server, as, cuserid, sqlAsOwner } = await everywhere();
  await expect(as('chen')(getAnonymizationReceipt, { cuserid })).rejects.toMatchObject({ code: 130001 });
  const { receipt } = await as('chen')(getAnonymization, { cuserid });
  expect(receipt.erased).toEqual(
    expect.arrayContaining([
      { name: '监护人的姓名与电话', count: 1 },
      { name: '附件与签名', count: 1 },
      { name: '咨询登记的内容与小结，以及咨询师的个别记录（如有）', count: 1 },
      { name: '随访与干预的文字', count: 3 },
    ]),
  );
  expect(receipt.kept.map(({ name }) => name)).toContain('审计日志（只写编号；办理人填写的停用原因不改动）');
  for (const { ground } of receipt.kept) expect(ground).toMatch(/法|规定|办法/);
  await anonymizeLin(server, cuserid);
  const done = await as('lu')(getAnonymizationReceipt, { cuserid });
  // Asking and answering wrote two more audit rows.
  const withoutLooks = ({ kept, ...rest }: typeof receipt) => ({
    ...rest,
    kept: kept.filter(({ name }) => !name.startsWith('审计')),
  });
  expect(withoutLooks(done.receipt)).toEqual(withoutLooks(receipt));
  expect(done.insname).toBe('云栖市晨光中学');
  const [row] = await sqlAsOwner<{ text: string }>('select receipt::text as text from anonymization');
  for (const word of WORDS) expect(row?.text).not.toContain(word);
  await expect(as('qiao')(getAnonymizationReceipt, { cuserid })).rejects.toMatchObject({ code: 130001 });
});

test('a file that a crash left in the store after the erasure is deleted by the cleanup, a signature too', async () => {
  const { server, cuserid, services } = await everywhere();
  const failing = { ...services.storage, delete: () => Promise.resolve() };
  const real = services.storage;
  Object.assign(services, { storage: failing });
  await anonymizeLin(server, cuserid);
  Object.assign(services, { storage: real });
  expect(await countFiles(server)).toBe(1);
  await cleanupFiles(services, addDays(new Date(), 2));
  expect(await countFiles(server)).toBe(0);
});
