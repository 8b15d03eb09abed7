import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { fromShanghai } from '#domain/base/calendar.ts';
import { isPrivateAddress } from '#server/messages/outgoing.ts';
import * as channel from '#features/notice/channel/channel.contract.ts';
import { deliverNotices } from '#features/notice/channel/deliver.ts';
import * as notice from '#features/notice/notice.contract.ts';
import { insertWarning } from '#features/warning/handling/handling.contract.ts';
import { aStudent } from '#testing/factories.ts';
import { startServer } from '#testing/server.ts';
import { startSmtpServer } from '#testing/process/smtp.ts';

const SECRET = 'a-secret-of-晨光中学';

/** 晨光中学 with a way to report 林小雨 at a level, and a server that may send to this machine. */
async function school(now?: string) {
  const server = await startServer(now ? { now } : {});
  const { as, services, clock } = server;
  services.isPrivateTargetAllowed = true;
  const student = await aStudent(server);
  const report = async (level: number) =>
    (await as('chen')(insertWarning, { cuserid: student.cuserid, level, content: '同学反映其多次说不想活了' })).warningcode;
  const deliver = () => deliverNotices(services, clock.now);
  const later = (minutes: number) => {
    clock.now = new Date(clock.now.getTime() + minutes * 60_000);
  };
  const useMail = (port: number, more: object = {}) =>
    as('ma')(channel.updateMailChannel, {
      enabled: 1,
      host: '127.0.0.1',
      port,
      security: 'none',
      fromaddress: 'notice@chenguang.example',
      ...more,
    });
  const useWebhook = (url: string, more: object = {}) =>
    as('ma')(channel.updateWebhookChannel, { enabled: 1, url, secret: SECRET, ...more });
  const messages = async () => (await as('ma')(channel.getChannelMessagePageList, { pageSize: 50 })).rows;
  return { ...server, student, report, deliver, later, useMail, useWebhook, messages };
}

/** A webhook on this machine that answers with `state.status`. */
async function startWebhook() {
  const received: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const state = { status: 200, headers: {} as Record<string, string> };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body });
      response.writeHead(state.status, state.headers).end('x'.repeat(100_000));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, state };
}

const emailOfChen = "update sysuser set email = 'chen@chenguang.example' where userid = 'U_CHEN'";

test('a mail names the institution, the group, the number and a link, and nobody; one case counts once', async () => {
  const { sqlAsOwner, report, deliver, useMail, messages, later } = await school();
  const smtp = await startSmtpServer();
  await sqlAsOwner(emailOfChen);
  await useMail(smtp.port);
  await report(3);
  later(1);
  await report(3);
  expect(await deliver()).toEqual({ sent: 1, failed: 0 });
  expect(smtp.mails.map(({ from, to }) => [from, to])).toEqual([['notice@chenguang.example', ['chen@chenguang.example']]]);
  const text = smtp.mails[0]?.text ?? '';
  expect(text).toContain('Subject: 云栖市晨光中学：1 条新的预警消息');
  expect(text).toContain('云栖市晨光中学：您有 1 条新的预警消息，请登录查看。');
  expect(text).toContain('http://127.0.0.1:8080/notices?group=warning');
  expect(text).not.toMatch(/林小雨|级|危机|不想活|W0000/);
  expect(await messages()).toMatchObject([
    { channel: 'mail', target: '陈静怡', count: 1, state: 'sent', attempts: 1, lasterror: '' },
  ]);
  // Nothing is sent twice.
  expect(await deliver()).toEqual({ sent: 0, failed: 0 });
});

test('a webhook is a signed POST of JSON that names nobody', async () => {
  const { report, deliver, useWebhook } = await school();
  const hook = await startWebhook();
  await useWebhook(hook.url);
  await report(4);
  expect(await deliver()).toEqual({ sent: 1, failed: 0 });
  const [{ path, headers, body }] = hook.received as [(typeof hook.received)[0]];
  expect(path).toBe('/hook');
  expect(JSON.parse(body)).toMatchObject({
    institution: '云栖市晨光中学',
    kind: 'warning',
    title: '预警',
    count: 1,
    text: '云栖市晨光中学：您有 1 条新的预警消息，请登录查看。',
    link: 'http://127.0.0.1:8080/notices?group=warning',
  });
  expect(body).not.toMatch(/林小雨|级|W0000/);
  const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-xinli-signature'])) ?? [];
  expect(signature).toBe(createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex'));
});

test('a message is written with its event, and one that fails is tried again with growing intervals, visibly', async () => {
  const { as, sqlAsOwner, report, deliver, useMail, messages, later } = await school();
  const smtp = await startSmtpServer();
  smtp.state.isRefusing = true;
  await sqlAsOwner(emailOfChen);
  await useMail(smtp.port);
  await report(3);
  expect(await deliver()).toEqual({ sent: 0, failed: 1 });
  expect(await messages()).toMatchObject([
    { state: 'retrying', attempts: 1, lasterror: '对方不接受发件人或收件人', nexttime: '2025-10-08 10:01:00' },
  ]);
  expect(await deliver()).toEqual({ sent: 0, failed: 0 });
  for (const minutes of [1, 5, 15, 60, 180, 360]) {
    later(minutes);
    expect(await deliver()).toEqual({ sent: 0, failed: 1 });
  }
  later(720);
  await deliver();
  const [failed] = await messages();
  expect(failed).toMatchObject({ state: 'failed', attempts: 8, nexttime: null });
  // The provider sees it; another school does not, and cannot send it again.
  expect((await as('fang')(channel.getChannelMessagePageList, { state: 'failed' })).rows).toMatchObject([
    { insname: '云栖市晨光中学', state: 'failed' },
  ]);
  smtp.state.isRefusing = false;
  await as('ma')(channel.retryChannelMessage, { messageid: failed!.messageid });
  expect(await deliver()).toEqual({ sent: 1, failed: 0 });
  await expect(as('ma')(channel.retryChannelMessage, { messageid: failed!.messageid })).rejects.toThrow('发送失败的消息');
});

test('at night a case of level 2 waits for the morning and a case of level 3 does not', async () => {
  const { as, sqlAsOwner, report, deliver, useMail, clock } = await school('2025-10-08T15:00:00Z');
  const smtp = await startSmtpServer();
  await sqlAsOwner(emailOfChen);
  await useMail(smtp.port);
  await report(2);
  expect(await deliver()).toEqual({ sent: 0, failed: 0 });
  expect(await as('chen')(notice.getUnreadCount, {})).toMatchObject({ count: 0, waiting: 1 });
  expect((await as('chen')(notice.getNoticePageList, {})).rows).toMatchObject([{ waituntil: '2025-10-09 07:00:00' }]);
  clock.now = fromShanghai('2025-10-09 07:00');
  expect(await deliver()).toEqual({ sent: 1, failed: 0 });
  expect(await as('chen')(notice.getUnreadCount, {})).toMatchObject({ count: 1, waiting: 0 });
  clock.now = fromShanghai('2025-10-09 23:00');
  await report(3);
  expect(await deliver()).toEqual({ sent: 1, failed: 0 });
  expect((await as('chen')(notice.getUnreadCount, {})).count).toBe(1);
});

test('a user chooses other quiet hours or none', async () => {
  const { as, report } = await school('2025-10-08T15:00:00Z');
  expect(await as('chen')(notice.getQuietHours, {})).toEqual({ ison: 1, quietfrom: '22:00', quietuntil: '07:00', version: 0 });
  await report(2);
  await as('chen')(notice.updateQuietHours, { ison: 0, quietfrom: '22:00', quietuntil: '07:00' });
  expect((await as('chen')(notice.getUnreadCount, {})).count).toBe(1);
  await as('chen')(notice.updateQuietHours, { ison: 1, quietfrom: '20:30', quietuntil: '23:30' });
  expect((await as('chen')(notice.getNoticePageList, {})).rows[0]?.waituntil).toBe('2025-10-08 23:30:00');
  // The hours of a colleague stay as they were.
  expect((await as('lu')(notice.getQuietHours, {})).quietfrom).toBe('22:00');
  await expect(as('chen')(notice.updateQuietHours, { ison: 1, quietfrom: '08:00', quietuntil: '08:00' })).rejects.toThrow(
    '开始和结束时间不能相同',
  );
});

test('a reminder of an unread notice leaves the console again, and a notice that was read does not leave it', async () => {
  const { as, sqlAsOwner, report, deliver, useMail } = await school();
  const smtp = await startSmtpServer();
  await sqlAsOwner(emailOfChen);
  await useMail(smtp.port);
  const warningcode = await report(3);
  await as('chen')(notice.readNotice, { warningcode });
  expect(await deliver()).toEqual({ sent: 0, failed: 0 });
  await sqlAsOwner('select access.remind_above($1, $2, $2)', [warningcode, new Date('2025-10-08T02:00:00Z')]);
  expect(await sqlAsOwner('select count(*)::int as n from notification where sendtime is not null')).toEqual([{ n: 0 }]);
});

test('the test button sends to the caller’s own address and says in words what is wrong', async () => {
  const { as, sqlAsOwner, useMail, useWebhook } = await school();
  const smtp = await startSmtpServer();
  await expect(as('ma')(channel.sendTestMessage, { channel: 'mail' })).rejects.toThrow('请先保存通道设置');
  await useMail(smtp.port);
  await expect(as('ma')(channel.sendTestMessage, { channel: 'mail' })).rejects.toThrow('请先在个人资料中填写您的邮箱');
  await sqlAsOwner("update sysuser set email = 'ma@chenguang.example' where userid = 'U_MA'");
  expect(await as('ma')(channel.sendTestMessage, { channel: 'mail' })).toEqual({ target: 'ma@chenguang.example' });
  expect(smtp.mails[0]?.text).toContain('云栖市晨光中学：这是一条测试消息');
  const hook = await startWebhook();
  await useWebhook(hook.url);
  hook.state.status = 302;
  hook.state.headers = { location: hook.url };
  await expect(as('ma')(channel.sendTestMessage, { channel: 'webhook' })).rejects.toThrow('对方要求跳转（302）');
  expect(hook.received).toHaveLength(1);
  await useWebhook('http://127.0.0.1:1/');
  await expect(as('ma')(channel.sendTestMessage, { channel: 'webhook' })).rejects.toThrow('连接被拒绝');
});

test('secrets are encrypted, never returned, kept by an empty field, and asked for anew with another address', async () => {
  const { as, sqlAsOwner, useMail, useWebhook } = await school();
  await useMail(2525, { username: 'notice', password: 'p4ssw0rd-of-the-mailbox' });
  await useWebhook('http://127.0.0.1:1/');
  const stored = JSON.stringify([
    await sqlAsOwner('select * from noticechannel'),
    await as('ma')(channel.getChannels, {}),
    await sqlAsOwner("select detail from audit.log where action like 'as.m.notice.update%'"),
  ]);
  expect(stored).not.toMatch(/p4ssw0rd|a-secret-of/);
  await useMail(2525, { username: 'notice', password: '', enabled: 0 });
  expect((await as('ma')(channel.getChannels, {})).mail).toMatchObject({ enabled: 0, issecretsaved: true });
  await expect(useMail(2526, { username: 'notice', password: '' })).rejects.toThrow('更换地址后请重新填写密码或授权码');
  await expect(useWebhook('http://127.0.0.1:2/', { secret: '' })).rejects.toThrow('更换地址后请重新填写签名密钥');
  const { version } = (await as('ma')(channel.getChannels, {})).mail;
  await useMail(2525, { username: 'notice', version });
  await useMail(2527, { username: 'notice', password: 'p4ssw0rd-of-the-mailbox', version });
  const refusal = await useMail(2528, { username: 'notice', password: 'another-password', version }).catch(
    (error: unknown) => error,
  );
  expect(refusal).toMatchObject({ code: 140002, message: expect.stringContaining('修改了“端口”、“密码或授权码”') as string });
  expect(JSON.stringify((refusal as { data: unknown }).data)).not.toMatch(/p4ssw0rd|v1:|secretsealed/);
});

test('without the operator’s permission no message goes to this machine or a private network, nor unencrypted', async () => {
  const { as, services, report, deliver, useMail, useWebhook, messages } = await school();
  await useWebhook('http://127.0.0.1:1/');
  await report(3);
  services.isPrivateTargetAllowed = false;
  await expect(useWebhook('http://127.0.0.1:1/')).rejects.toThrow('https://');
  await expect(useMail(25)).rejects.toThrow('邮件须加密发送');
  await useWebhook('https://127.0.0.1/');
  await deliver();
  expect(await messages()).toMatchObject([{ lasterror: '不允许发往本机或内网地址，请联系平台运维人员' }]);
  await useWebhook('https://localhost/');
  await expect(as('ma')(channel.sendTestMessage, { channel: 'webhook' })).rejects.toThrow('不允许发往本机或内网地址');
  const refused = ['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'];
  const refusedV6 = ['::1', '::', 'fe80::1', 'fd00::1', '::ffff:10.0.0.1', '64:ff9b::a00:1', 'ff02::1'];
  expect([...refused, ...refusedV6].filter((address) => !isPrivateAddress(address))).toEqual([]);
  expect(['8.8.8.8', '172.32.0.1', '2400:3200::1'].filter(isPrivateAddress)).toEqual([]);
});

test('a channel that is switched off ends its waiting messages', async () => {
  const { report, deliver, useWebhook, messages, later } = await school();
  await useWebhook('http://127.0.0.1:1/');
  await report(3);
  await deliver();
  await useWebhook('http://127.0.0.1:1/', { enabled: 0 });
  later(1);
  await deliver();
  expect(await messages()).toMatchObject([{ state: 'failed', lasterror: '通道已停用' }]);
});
