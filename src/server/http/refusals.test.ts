import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { actions } from '#server/actions.ts';
import { exampleOf } from '#testing/authorisation/example.ts';
import { sharedHttp } from '#testing/http.ts';
import { startServer } from '#testing/server.ts';

const shared = sharedHttp();

const list = 'as.m.cuser.getCUserPageList';

test('an error of the HTTP layer has an error code, a Chinese message and HTTP 200', async () => {
  const { base, post, errors } = shared();
  const send = (path: string, init: RequestInit) => fetch(`${base}${path}`, { method: 'POST', ...init });
  const json = { 'content-type': 'application/json', token: 'chen' };
  const path = `/api/${list}/1.0.0/action`;
  const cases: [string, Response, number, string][] = [
    ['a malformed address', await send('/api/%E0%A4%A', { body: '{}', headers: json }), 120002, '请求地址不正确'],
    ['the same with GET', await fetch(`${base}/api/%E0%A4%A`), 120002, '请求地址不正确'],
    ['a malformed page', await fetch(`${base}/%E0%A4%A`), 120002, '请求地址不正确'],
    [
      'another content type',
      await send(path, { body: '<a/>', headers: { ...json, 'content-type': 'text/xml' } }),
      120002,
      '不支持的内容类型',
    ],
    [
      'no content type',
      await send(path, { body: new Uint8Array([123, 125]), headers: { token: 'chen' } }),
      120002,
      '不支持的内容类型',
    ],
    ['broken JSON', (await post(list, '{"page":', json)).response, 120002, '请求格式不正确'],
    [
      'broken form data',
      await send(path, { body: 'x', headers: { ...json, 'content-type': 'multipart/form-data' } }),
      120002,
      '请求格式不正确',
    ],
    ['another version', await send(`/api/${list}/2.0.0/action`, { body: '{}', headers: json }), 130001, '接口不存在或已删除'],
    [
      'a name that is too long',
      await send(`/api/${'x'.repeat(3000)}/1.0.0/action`, { body: '{}', headers: json }),
      120002,
      '请求地址不正确',
    ],
  ];
  for (const [title, response, errorCode, errorMsg] of cases) {
    expect([title, response.status, await response.json()]).toEqual([title, 200, { errorCode, errorMsg }]);
    expect(response.headers.get('x-error-code')).toBe(String(errorCode));
  }
  expect(errors).toEqual([]);
});

test('the server answers a too long address and invalid HTTP with JSON on the socket', async () => {
  const { port, call } = shared();
  const sendText = async (requestText: string) => {
    const socket = connect(port, '127.0.0.1');
    socket.end(requestText);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    return { head, answer: JSON.parse(body) as unknown };
  };
  const long = await sendText(`POST /api/${'x'.repeat(40_000)} HTTP/1.1\r\nhost: a\r\n\r\n`);
  expect(long.answer).toEqual({ errorCode: 120002, errorMsg: '请求地址或请求头过长' });
  expect(long.head).toContain('application/json; charset=utf-8');
  expect((await sendText('nonsense\r\n\r\n')).answer).toEqual({ errorCode: 120002, errorMsg: '请求格式不正确' });
  expect((await call(list, {}, { token: 'chen' })).json.errorCode).toBe(0);
});

test('every list refuses an unknown `orderby` and sorts by each field that it names', async () => {
  const server = await startServer();
  const lists = actions.filter(({ request }) => request instanceof z.ZodObject && 'orderby' in request.shape);
  expect(lists.length).toBeGreaterThan(15);
  for (const action of lists) {
    const example = exampleOf(action, {});
    if (!example) throw new Error(`no example of ${action.name}`);
    for (const orderby of ['nonsense', 'constructor', 'createtime desc', '1']) {
      const checked = action.request.safeParse({ ...example, orderby });
      expect([action.name, orderby, checked.error?.issues.map((issue) => [issue.path, /排序/.test(issue.message)])]).toEqual([
        action.name,
        orderby,
        [[['orderby'], true]],
      ]);
    }
    const field = (action.request as unknown as z.ZodObject<{ orderby: z.ZodOptional<z.ZodEnum> }>).shape.orderby.unwrap();
    for (const orderby of field instanceof z.ZodEnum ? field.options : [])
      for (const isasc of ['0', '1']) {
        const answers = await Promise.all(
          ['chen', 'ma', 'super'].map((person) => server.raw(action.name, person, { ...example, orderby, isasc })),
        );
        expect([action.name, orderby, answers.map((answer) => answer.errorCode).includes(900000)]).toEqual([
          action.name,
          orderby,
          false,
        ]);
      }
  }
  expect(server.errors).toEqual([]);
  expect(await server.raw(list, 'chen', { orderby: 'nonsense' })).toMatchObject({
    errorCode: 120002,
    data: { field: 'orderby' },
  });
});
