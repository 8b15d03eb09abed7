import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { appendErasures, erasuresFileOf, readErasures } from '#server/audit/erasures.ts';
import { verifyAudit } from '#server/audit/verify.ts';
import { FieldCipher } from '#server/security/fieldCipher.ts';
import { anonymizeCUser, answerAnonymization } from '#features/anonymize/anonymize.contract.ts';
import { keepErasures, repeatErasures } from '#features/anonymize/keepErasures.ts';
import { revealCUser } from '#features/cuser/cuser.contract.ts';
import { insertWarning } from '#features/warning/handling/handling.contract.ts';
import { runRetention } from '#features/retention/retentionJob.ts';
import { aStudent } from '#testing/factories.ts';
import { startServer, type TestServer } from '#testing/server.ts';

const NOW = new Date('2025-10-08T02:00:00Z');

const listOf = ({ services }: TestServer) => readErasures(erasuresFileOf(services.auditDir), services.cipher);

/** 林小雨 is erased by two persons. */
async function erased() {
  const server = await startServer();
  const { cuserid } = await aStudent(server);
  const request = { cuserid, confirmtext: '匿名化林小雨', reason: '家长书面申请删除' };
  const { anonymizationid } = await server.as('chen')(anonymizeCUser, request);
  await server.as('lu')(answerAnonymization, { anonymizationid, agreed: 1 });
  return { server, cuserid };
}

test('匿名化 is in the list outside of the database when the call is answered, with the id and the time only', async () => {
  const { server, cuserid } = await erased();
  expect(await listOf(server)).toEqual([{ cuserid, time: NOW.toISOString() }]);
  expect(await readFile(erasuresFileOf(server.services.auditDir), 'utf8')).not.toContain('林小雨');
  // The job adds nothing twice, and adds what a crash after the commit has left out.
  expect(await keepErasures(server.services, NOW)).toEqual({ erased: [], refused: [], added: 0 });
  const lost = { ...server.services, auditDir: `${server.services.auditDir}/other` };
  expect(await keepErasures(lost, NOW)).toMatchObject({ added: 1 });
});

test('a person of the list who is in the database again is erased with an audit row; a torn or planted line counts not', async () => {
  const server = await startServer();
  const { services, sqlAsOwner, as } = server;
  const { cuserid: ming } = await aStudent(server, { username: '王小明' });
  const { cuserid: hua } = await aStudent(server, { username: '李华', studentno: '20230302' });
  const file = erasuresFileOf(services.auditDir);
  const time = new Date(Date.now() + 60_000).toISOString();
  await mkdir(services.auditDir);
  await writeFile(file, '{"cuserid":"C00');
  await appendErasures(file, services.cipher, [{ cuserid: ming, time }]);
  await appendErasures(file, new FieldCipher(Buffer.alloc(32, 7)), [{ cuserid: hua, time }]);
  expect(await keepErasures(services, NOW)).toMatchObject({ erased: [ming], refused: [] });
  expect((await as('chen')(revealCUser, { cuserid: ming })).username).toBe('已删除');
  expect((await as('chen')(revealCUser, { cuserid: hua })).username).toBe('李华');
  const rows = await sqlAsOwner("select cuserids from audit.log where action = 'repeatErasure'");
  expect(rows).toEqual([{ cuserids: [ming] }]);
  expect((await verifyAudit(services)).faults).toEqual([]);
});

test('a person who got the id of an erased one after a restore stays, and one with an open case waits for its end', async () => {
  const server = await startServer();
  const { services, as, sqlAsOwner } = server;
  const { cuserid: young } = await aStudent(server, { username: '王小明' });
  const { cuserid: open } = await aStudent(server, { username: '李华', studentno: '20230302' });
  await as('chen')(insertWarning, { cuserid: open, level: 2, content: '班主任反映情绪低落' });
  const listed = [
    { cuserid: young, time: new Date(Date.now() - 86_400_000).toISOString() },
    { cuserid: open, time: new Date(Date.now() + 60_000).toISOString() },
  ];
  expect(await repeatErasures(services, listed, NOW)).toEqual({
    erased: [],
    refused: [{ cuserid: open, reason: 'the person has an open case' }],
  });
  await sqlAsOwner("update warning set state = '07', closetime = now() where cuserid = $1", [open]);
  expect(await repeatErasures(services, listed, NOW)).toMatchObject({ erased: [open], refused: [] });
  expect((await as('chen')(revealCUser, { cuserid: young })).username).toBe('王小明');
});

test('persons whose term is over stand in the list too, and the audit row of the job is the server’s own', async () => {
  const server = await startServer();
  const { services, sqlAsOwner } = server;
  const { cuserid } = await aStudent(server);
  await sqlAsOwner("update cuser set createtime = '2025-10-08' where cuserid = $1", [cuserid]);
  const night = new Date('2029-10-08T18:00:00Z');
  expect(await runRetention(services, night)).toMatchObject({ person: 1 });
  expect(await listOf(server)).toEqual([{ cuserid, time: night.toISOString() }]);
  expect((await verifyAudit(services)).faults).toEqual([]);
});
