import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { codeOf } from '#contract/menu.ts';
import { getNoticePageList } from '#features/notice/notice.contract.ts';
import { deliverEvents } from '#features/webhook/deliver.ts';
import * as webhook from '#features/webhook/webhook.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { insertAssessTask } from '#features/task/task.contract.ts';
import { giveRole, setPermission } from '#testing/factories.ts';
import { addClass, answerTask, screening } from '#testing/school.ts';
import { updateCUser } from '#features/cuser/cuser.contract.ts';
import { startServer } from '#testing/server.ts';

const PHONE = '13866667777';
type Event = { id: string; type: string; timestamp: string; institution: string; data: Record<string, unknown> };

/** A system of the school on this machine that answers with `state.status`. */
async function startReceiver() {
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  const state = { status: 204, headers: {} as Record<string, string> };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.writeHead(state.status, state.headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const events = () => received.map(({ body }) => JSON.parse(body) as Event);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`, received, events, state };
}
type Received = Awaited<ReturnType<typeof startReceiver>>['received'][number];

/** Verifies a request as docs/webhooks.md tells a receiver. */
function isGenuine(secret: string, { headers, body }: Received): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const text = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const signature = `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(signature);
}

/** 晨光中学 with 林小雨 in a class that is screened, and a server that may send to this machine. */
async function school() {
  const server = await startServer();
  const { as, services, clock } = server;
  services.isPrivateTargetAllowed = true;
  const receiver = await startReceiver();
  const { pupils, teamcode } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周明'] });
  await as('chen')(updateCUser, { cuserid: pupils[0]!.cuserid, phonenumber: PHONE });
  const deliver = () => deliverEvents(services, clock.now);
  const later = (minutes: number) => {
    clock.now = new Date(clock.now.getTime() + minutes * 60_000);
  };
  const register = (events: webhook.WebhookEvent[] = ['sheet.submitted', 'case.opened', 'case.closed']) =>
    as('ma')(webhook.insertWebhook, { url: receiver.url, events });
  const report = async (level = 3, more: object = {}) =>
    (
      await as('chen')(handling.insertWarning, {
        cuserid: pupils[0]!.cuserid,
        level,
        content: '同学反映其多次说不想活了',
        ...more,
      })
    ).warningcode;
  const deliveries = async () => (await as('ma')(webhook.getWebhookDeliveryPageList, { pageSize: 50 })).rows;
  const addresses = async () => (await as('ma')(webhook.getWebhooks, {})).webhooks;
  const notices = async () => (await as('ma')(getNoticePageList, { pageSize: 50 })).rows.map(({ title }) => title);
  const screen = async () => (await as('chen')(insertAssessTask, screening([teamcode]))).taskcode;
  return { ...server, receiver, pupils, deliver, later, register, report, deliveries, addresses, notices, screen };
}

test('a hand-in reaches the school’s own system once, signed, with ids only', async () => {
  const server = await school();
  const { receiver, pupils, deliver, register, screen, deliveries } = server;
  const { secret } = await register(['sheet.submitted']);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const taskcode = await screen();
  const { examcode } = await answerTask(server, pupils[0]!);
  expect(await deliver()).toEqual({ sent: 1, failed: 0 });
  expect(await deliver()).toEqual({ sent: 0, failed: 0 });
  const [request] = receiver.received;
  expect(isGenuine(secret, request!)).toBe(true);
  expect(isGenuine(secret, { ...request!, body: `${request!.body} ` })).toBe(false);
  const [event] = receiver.events();
  expect(event).toEqual({
    id: request!.headers['webhook-id'],
    type: 'sheet.submitted',
    timestamp: server.clock.now.toISOString(),
    institution: 'M_CHENGUANG',
    data: { taskid: taskcode, sheetid: examcode },
  });
  const { studentno, username, cuserid } = pupils[0]!;
  for (const personal of [username, studentno, cuserid, PHONE, '初二3班', '云栖市晨光中学']) {
    expect(request!.body).not.toContain(personal);
  }
  expect(await deliveries()).toMatchObject([
    { event: 'sheet.submitted', state: 'sent', attempts: 1, answer: 204, lasterror: '' },
  ]);
});

test('a hand-in that is rolled back yields no delivery, and the same hand-in afterwards yields one', async () => {
  const server = await school();
  const { pupils, register, screen, deliveries, sqlAsOwner } = server;
  await register();
  await screen();
  const { handIn } = await answerTask(server, pupils[0]!, { begin: true });
  // The last step of a hand-in takes a count; here it fails.
  await sqlAsOwner(`create function break_wallet() returns trigger language plpgsql as $$ begin raise 'broken'; end $$`);
  await sqlAsOwner('create trigger break_wallet before update on assesscount for each row execute function break_wallet()');
  await expect(handIn()).rejects.toMatchObject({ code: 900000 });
  expect(await deliveries()).toEqual([]);
  await sqlAsOwner('drop trigger break_wallet on assesscount');
  await handIn();
  expect((await deliveries()).map(({ event }) => event)).toEqual(['sheet.submitted']);
});

test('an alarm and its closing are events with the level and nothing about the person', async () => {
  const { as, receiver, report, deliver, later, register, pupils } = await school();
  await register(['case.opened', 'case.closed']);
  const warningcode = await report(2);
  await deliver();
  await as('chen')(handling.acceptWarning, { warningcode });
  later(60);
  await as('chen')(handling.verifyWarning, { warningcode, contactresult: '01', content: '已与本人面谈，是一场误会' });
  const exclude = { warningcode, contactresult: '02' as const, falsealarm: 1, content: '面谈核实为误会，予以排除' };
  expect(await as('chen')(handling.verifyWarning, exclude)).toMatchObject({ state: '08' });
  await deliver();
  await as('chen')(handling.reopenWarning, { warningcode, reason: '班主任反映新情况' });
  await deliver();
  expect(receiver.events().map(({ type, data }) => ({ type, data }))).toEqual([
    { type: 'case.opened', data: { caseid: warningcode, level: 2 } },
    { type: 'case.closed', data: { caseid: warningcode, level: expect.any(Number) as number } },
    { type: 'case.opened', data: { caseid: warningcode, level: 2 } },
  ]);
  for (const { body } of receiver.received) {
    expect(body).not.toMatch(/林小雨|不想活|误会|新情况|陈静怡/);
    expect(body).not.toContain(PHONE);
    expect(body).not.toContain(pupils[0]!.cuserid);
  }
});

test('a case that suspects a colleague is no event', async () => {
  const { report, deliver, register, receiver } = await school();
  await register(['case.opened']);
  await report(3, { suspectuserid: 'U_WANG' });
  await deliver();
  expect(receiver.received).toEqual([]);
});

test('a delivery that fails is tried again with growing delays under the same id, until the receiver takes it', async () => {
  const { receiver, report, deliver, later, register, deliveries, addresses, clock } = await school();
  const { secret } = await register();
  await report();
  receiver.state.status = 503;
  expect(await deliver()).toEqual({ sent: 0, failed: 1 });
  expect(await deliveries()).toMatchObject([{ state: 'retrying', attempts: 1, answer: 503, lasterror: '对方返回 503' }]);
  expect(await deliver()).toEqual({ sent: 0, failed: 0 });
  later(1);
  expect(await deliver()).toEqual({ sent: 0, failed: 1 });
  later(4);
  expect(await deliver()).toEqual({ sent: 0, failed: 0 });
  later(1);
  receiver.state.status = 200;
  expect(await deliver()).toEqual({ sent: 1, failed: 0 });
  expect(receiver.received).toHaveLength(3);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(receiver.received.every((request) => isGenuine(secret, request))).toBe(true);
  expect(receiver.received.at(-1)!.headers['webhook-timestamp']).toBe(String(clock.now.getTime() / 1000));
  expect(await addresses()).toMatchObject([{ failingsince: null, waiting: 0, successtime: expect.any(String) as string }]);
});

test('after the last try administrators get a notice, and send the delivery again when the receiver is well', async () => {
  const { as, receiver, report, deliver, later, register, deliveries, notices } = await school();
  await register();
  await report();
  receiver.state.status = 500;
  for (const minutes of [0, 1, 5, 30, 120, 480]) {
    later(minutes);
    await deliver();
  }
  expect(await notices()).not.toContainEqual(expect.stringContaining('事件推送失败'));
  later(1440);
  await deliver();
  const [failed] = await deliveries();
  expect(failed).toMatchObject({ state: 'failed', attempts: 7, nexttime: null });
  expect(await notices()).toContainEqual(expect.stringContaining('事件推送失败：127.0.0.1'));
  receiver.state.status = 200;
  await as('ma')(webhook.resendWebhookDelivery, { deliveryid: failed!.deliveryid });
  await expect(as('ma')(webhook.resendWebhookDelivery, { deliveryid: failed!.deliveryid })).rejects.toMatchObject({
    code: 140001,
  });
  expect(await deliver()).toEqual({ sent: 1, failed: 0 });
  expect(receiver.events().at(-1)!.id).toBe(failed!.eventid);
});

test('an answer 410 switches the address off at once, with a notice', async () => {
  const { as, receiver, report, deliver, register, addresses, deliveries, notices } = await school();
  const { webhookid } = await register();
  await report();
  receiver.state.status = 410;
  await deliver();
  expect(await addresses()).toMatchObject([{ enabled: 0, disabledwhy: 'gone', waiting: 0 }]);
  expect(await notices()).toContainEqual(expect.stringContaining('事件推送已停用'));
  const { deliveryid } = (await deliveries())[0]!;
  await expect(as('ma')(webhook.resendWebhookDelivery, { deliveryid })).rejects.toMatchObject({ code: 140001 });
  receiver.state.status = 200;
  await as('ma')(webhook.updateWebhook, { webhookid, enabled: 1 });
  await as('ma')(webhook.resendWebhookDelivery, { deliveryid });
  expect(await deliver()).toEqual({ sent: 1, failed: 0 });
});

test('an address that has failed for three days is switched off with a notice', async () => {
  const { receiver, report, deliver, later, register, addresses, notices, sqlAsOwner } = await school();
  await register();
  receiver.state.status = 500;
  await report();
  await deliver();
  later(3 * 24 * 60);
  await deliver();
  expect(await addresses()).toMatchObject([{ enabled: 0, disabledwhy: 'failing', waiting: 0 }]);
  expect((await notices()).filter((title) => title.startsWith('事件推送已停用'))).toHaveLength(1);
  expect(await sqlAsOwner('select count(*)::int as n from webhookdelivery where nexttime is not null')).toEqual([{ n: 0 }]);
});

test('an address that staff switch off gets nothing: neither what waits nor what happens meanwhile', async () => {
  const { as, receiver, report, deliver, register, deliveries } = await school();
  const { webhookid } = await register();
  await report();
  await as('ma')(webhook.updateWebhook, { webhookid, enabled: 0 });
  await deliver();
  expect(await deliveries()).toMatchObject([{ state: 'failed', lasterror: '推送地址已停用' }]);
  expect(receiver.received).toEqual([]);
  await as('ma')(webhook.updateWebhook, { webhookid, enabled: 1, events: ['case.closed'] });
  expect(await deliveries()).toHaveLength(1);
});

test('many events of one address keep back neither those of another institution nor those of another address', async () => {
  const { as, receiver, deliver, later, register, sqlAsOwner, clock } = await school();
  await register(['sheet.submitted']);
  await register(['case.closed']);
  await giveRole({ sqlAsOwner }, 'U_LIN', 'insadmin');
  await as('lin')(webhook.insertWebhook, { url: receiver.url, events: ['case.opened'] });
  const happen = async (musercode: string, event: webhook.WebhookEvent, times: number) => {
    later(1);
    const values = [musercode, event, clock.now, times];
    await sqlAsOwner(`select access.add_event($1, $2, '{}', $3) from generate_series(1, $4)`, values);
  };
  await happen('M_CHENGUANG', 'sheet.submitted', 50);
  await happen('M_CHENGUANG', 'case.closed', 30);
  await happen('M_RENAI', 'case.opened', 3);
  expect(await deliver()).toEqual({ sent: 20, failed: 0 });
  const arrived = (type: string) => receiver.events().filter((event) => event.type === type).length;
  expect([arrived('case.opened'), arrived('case.closed'), arrived('sheet.submitted')]).toEqual([3, 8, 9]);
});

test.each([
  ['is disabled', `enabled = 0`],
  ['has ended', `expiredate = '2000-01-01'`],
])('what waits for an institution that %s is given up, and does not go out when it is open again', async (_, change) => {
  const { receiver, report, deliver, register, sqlAsOwner } = await school();
  await register();
  await report();
  await sqlAsOwner(`update muser set ${change} where musercode = 'M_CHENGUANG'`);
  expect(await deliver()).toEqual({ sent: 0, failed: 0 });
  await sqlAsOwner(`update muser set enabled = 1, expiredate = null where musercode = 'M_CHENGUANG'`);
  expect(await deliver()).toEqual({ sent: 0, failed: 0 });
  expect(receiver.received).toEqual([]);
  const kept = await sqlAsOwner('select nexttime, lasterror from webhookdelivery');
  expect(kept).toEqual([{ nexttime: null, lasterror: '机构已停用或服务已到期' }]);
});

test('after a renewal both secrets sign for 24 hours, then only the new one', async () => {
  const { as, receiver, report, deliver, later, register, addresses, sqlAsOwner } = await school();
  const { webhookid, secret: old } = await register();
  const { secret } = await as('ma')(webhook.renewWebhookSecret, { webhookid });
  expect(secret).not.toBe(old);
  await report();
  await deliver();
  expect(receiver.received.map((request) => [isGenuine(old, request), isGenuine(secret, request)])).toEqual([[true, true]]);
  later(24 * 60 + 1);
  await as('ma')(webhook.sendTestEvent, { webhookid });
  expect([isGenuine(old, receiver.received[1]!), isGenuine(secret, receiver.received[1]!)]).toEqual([false, true]);
  // No secret stands readable in the database, in an answer or in the audit log.
  const stored = JSON.stringify([
    await sqlAsOwner('select * from webhook'),
    await addresses(),
    await sqlAsOwner(`select detail from audit.log where action like 'as.m.webhook.%'`),
  ]);
  expect(stored).not.toContain(secret);
  expect(stored).not.toContain(old);
  expect(stored).not.toContain('whsec_');
});

test('the test event goes out at once, and says what is wrong', async () => {
  const { as, receiver, register, deliveries } = await school();
  const { webhookid, secret } = await register();
  expect(await as('ma')(webhook.sendTestEvent, { webhookid })).toEqual({ answer: 204, lasterror: '' });
  expect(receiver.events()).toMatchObject([{ type: 'ping', data: {} }]);
  expect(isGenuine(secret, receiver.received[0]!)).toBe(true);
  receiver.state.status = 302;
  receiver.state.headers = { location: receiver.url };
  expect(await as('ma')(webhook.sendTestEvent, { webhookid })).toEqual({
    answer: 302,
    lasterror: '对方要求跳转（302），请填写最终地址',
  });
  expect(receiver.received).toHaveLength(2);
  expect((await deliveries()).map(({ event, state }) => [event, state])).toEqual([
    ['ping', 'failed'],
    ['ping', 'sent'],
  ]);
  receiver.state.status = 200;
  const [failed] = await deliveries();
  expect(await as('ma')(webhook.sendTestEvent, { webhookid: failed!.webhookid })).toEqual({ answer: 200, lasterror: '' });
});

test('another institution gets and sees nothing, and changes nothing', async () => {
  const { as, receiver, report, deliver, register, deliveries, sqlAsOwner } = await school();
  const { webhookid } = await register();
  await giveRole({ sqlAsOwner }, 'U_LIN', 'insadmin');
  const other = as('lin');
  await other(webhook.insertWebhook, { url: receiver.url, events: ['case.opened'] });
  await report();
  expect(await deliver()).toEqual({ sent: 1, failed: 0 });
  expect((await other(webhook.getWebhookDeliveryPageList, {})).rows).toEqual([]);
  expect((await other(webhook.getWebhooks, {})).webhooks.map((row) => row.webhookid)).not.toContain(webhookid);
  const { deliveryid } = (await deliveries())[0]!;
  for (const call of [
    () => other(webhook.updateWebhook, { webhookid, enabled: 0 }),
    () => other(webhook.deleteWebhook, { webhookid }),
    () => other(webhook.renewWebhookSecret, { webhookid }),
    () => other(webhook.sendTestEvent, { webhookid }),
    () => other(webhook.resendWebhookDelivery, { deliveryid }),
  ])
    await expect(call()).rejects.toMatchObject({ code: 130001 });
});

test('without the operator’s permission an address is encrypted and public', async () => {
  const { as, services, register, report, deliver, deliveries } = await school();
  const { webhookid } = await register();
  services.isPrivateTargetAllowed = false;
  const events: webhook.WebhookEvent[] = ['case.opened'];
  for (const url of ['http://school.example/', 'https://127.0.0.1/', 'https://10.0.0.8/', 'https://[::1]/', 'https://localhost/'])
    await expect(as('ma')(webhook.insertWebhook, { url, events })).rejects.toMatchObject({ code: 120002 });
  await expect(as('ma')(webhook.insertWebhook, { url: 'https://school.example/', events: [] })).rejects.toMatchObject({
    code: 120002,
  });
  await report();
  await deliver();
  expect(await deliveries()).toMatchObject([{ state: 'retrying', answer: null, lasterror: '地址须以 https:// 开头' }]);
  await as('ma')(webhook.updateWebhook, { webhookid, url: 'https://name.localhost/' });
  expect((await as('ma')(webhook.sendTestEvent, { webhookid })).answer).toBeNull();
});

test('an institution has ten addresses at most; deleting one deletes its deliveries', async () => {
  const { as, register, report, deliver, later, deliveries, addresses } = await school();
  const { webhookid } = await register();
  for (let n = 1; n < webhook.MOST_WEBHOOKS; n += 1) await register(['case.closed']);
  await expect(register()).rejects.toMatchObject({ code: 140001 });
  await report();
  await deliver();
  later(31 * 24 * 60);
  await deliver();
  expect(await deliveries()).toEqual([]);
  await as('ma')(webhook.sendTestEvent, { webhookid });
  expect(await deliveries()).toHaveLength(1);
  await as('ma')(webhook.deleteWebhook, { webhookid });
  expect(await deliveries()).toEqual([]);
  expect(await addresses()).toHaveLength(webhook.MOST_WEBHOOKS - 1);
});

test('staff who may not read cases cannot send their events to an address, nor move an address that gets them', async () => {
  const server = await school();
  const { as, register } = server;
  const { webhookid } = await register(['case.opened']);
  await setPermission(server, 'U_MA', codeOf('warning.crisis'), 'deny');
  await setPermission(server, 'U_MA', codeOf('warning.handle'), 'deny');
  const url = 'http://127.0.0.1:9/other';
  await expect(as('ma')(webhook.insertWebhook, { url, events: ['case.opened'] })).rejects.toMatchObject({ code: 110004 });
  await expect(as('ma')(webhook.updateWebhook, { webhookid, url })).rejects.toMatchObject({ code: 110004 });
  await as('ma')(webhook.updateWebhook, { webhookid, enabled: 0 });
  await expect(as('ma')(webhook.updateWebhook, { webhookid, enabled: 1 })).rejects.toMatchObject({ code: 110004 });
  await as('ma')(webhook.insertWebhook, { url, events: ['sheet.submitted'] });
});
