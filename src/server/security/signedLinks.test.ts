import { randomBytes } from 'node:crypto';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { serveFiles } from '#server/http/fileRoute.ts';
import { FieldCipher } from '#server/security/fieldCipher.ts';
import { signFile, verifyLink } from '#server/security/fileLink.ts';
import { readPreviewToken, signPreview } from '#server/security/previewToken.ts';
import { newKey } from '#server/storage/storage.ts';
import { parseVerifyCode, toVerifyCode } from '#features/reportpdf/verifyCode.ts';
import { startServer } from '#testing/server.ts';
import { sizeOf } from '#testing/size.ts';

const now = new Date('2025-10-08T02:00:00Z');
const until = new Date('2025-10-08T02:10:00Z');
const cipher = new FieldCipher(randomBytes(32));
const ofAnother = new FieldCipher(randomBytes(32));
const tokenOf = (link: string) => link.slice(link.indexOf('=') + 1);

/** What an attacker writes at one place of a link. */
const characters = [...'Aa0_-.=+/% \u0000é', ...'ZzBb19'];
/** Every byte of a text replaced, removed and doubled, every cut, and additions at both ends. */
function* mutations(text: string, few = characters): Generator<string> {
  for (let at = 0; at < text.length; at += 1) {
    const [head, own, tail] = [text.slice(0, at), text[at] as string, text.slice(at + 1)];
    // One bit changed, and other letters.
    for (let bit = 0; bit < 7; bit += 1) yield head + String.fromCharCode(own.charCodeAt(0) ^ (1 << bit)) + tail;
    for (const other of few) if (other !== own) yield head + other + tail;
    yield head + tail;
    yield head + own + own + tail;
    yield head;
  }
  for (const other of [...few, '.x', '..', `.${text}`, text]) {
    yield text + other;
    yield other + text;
  }
}

/** The links of the product that open something without a session, with the function that reads them. */
const kinds: [string, string, (text: string, by?: FieldCipher, at?: Date) => unknown][] = [
  [
    'a link of a file',
    tokenOf(signFile(cipher, { key: newKey('upload'), filename: '诊断说明.pdf', mime: 'application/pdf' }, until)),
    (text, by = cipher, at = now) => verifyLink(by, text, at),
  ],
  [
    'a link of a preview',
    signPreview(cipher, { formcode: 'PHQ9', version: 'draft', musercode: 'M_CHENGUANG' }, until),
    (text, by = cipher, at = now) => readPreviewToken(by, text, at),
  ],
  [
    'the code of a printed report',
    toVerifyCode(cipher, 'R202510080001', 1),
    // The code is typed by people, so the case and spaces around it do not count.
    (text, by = cipher) => parseVerifyCode(by, text),
  ],
];

test.each(kinds)('%s opens as it is, and no changed byte, cut or addition opens anything', (name, link, read) => {
  expect(read(link)).toBeDefined();
  const isTyped = name === 'the code of a printed report';
  const opened: string[] = [];
  let count = 0;
  for (const mutated of mutations(link)) {
    if (mutated === link || (isTyped && mutated.trim().toUpperCase() === link)) continue;
    count += 1;
    if (read(mutated) !== undefined) opened.push(mutated);
  }
  console.log(JSON.stringify({ mutations: name, count }));
  expect(opened).toEqual([]);
});

test('pairs of changed bytes, drawn at random, open nothing', () => {
  const opened: string[] = [];
  for (const [, link, read] of kinds.slice(0, 2))
    for (let run = 0; run < sizeOf(2_000, 200_000); run += 1) {
      const bytes = Buffer.from(link);
      const [first, second, one, two] = randomBytes(4) as unknown as [number, number, number, number];
      bytes[first % bytes.length] = 33 + (one % 94);
      bytes[second % bytes.length] = 33 + (two % 94);
      const mutated = bytes.toString();
      if (mutated !== link && read(mutated) !== undefined) opened.push(mutated);
    }
  expect(opened).toEqual([]);
});

test('a link of another installation, and a link of another kind with the same key, open nothing', () => {
  for (const [, link, read] of kinds) expect(read(link, ofAnother)).toBeUndefined();
  const [[, file, readFile], [, preview, readPreview]] = kinds as [(typeof kinds)[0], (typeof kinds)[0]];
  expect([readFile(preview), readPreview(file)]).toEqual([undefined, undefined]);
});

test('a link with an end is void from the second after it, and stays void', () => {
  for (const [, link, read] of kinds.slice(0, 2)) {
    expect(read(link, cipher, until)).toBeDefined();
    for (const ms of [1, 1_000, 86_400_000, 365 * 86_400_000])
      expect(read(link, cipher, new Date(until.getTime() + ms)), `${ms} ms`).toBeUndefined();
  }
});

test('over HTTP a changed link gets the same page as an expired one, and none of the file', async () => {
  const { services } = await startServer();
  const key = newKey('upload');
  await services.storage.put(key, Buffer.from('林小雨的家长签名'));
  const app = Fastify();
  let time = now;
  serveFiles(app, services, () => time);
  onTestFinished(() => app.close());
  const link = services.storage.signedUrl({ key, filename: '签名.png', mime: 'image/png' }, until);
  const get = (k: string) => app.inject({ method: 'GET', url: `/files?k=${encodeURIComponent(k)}` });
  const token = tokenOf(link);
  expect((await get(token)).body).toContain('林小雨');
  time = new Date(until.getTime() + 1_000);
  const expired = await get(token);
  expect(expired.statusCode).toBe(404);
  time = now;
  const answers = new Set<string>();
  for (const mutated of mutations(token, ['A', '.'])) {
    if (mutated === token) continue;
    const { statusCode, body } = await get(mutated);
    answers.add(`${statusCode} ${body}`);
  }
  expect([...answers]).toEqual([`404 ${expired.body}`]);
  // Two values, no value, and the link of a file that does not exist.
  for (const query of [`k=${token}&k=${token}`, '', 'k=', 'k[]=x'])
    expect((await app.inject({ method: 'GET', url: `/files?${query}` })).statusCode).toBe(404);
  const missing = services.storage.signedUrl({ key: newKey('upload'), filename: 'a', mime: 'a/b' }, until);
  expect((await get(tokenOf(missing))).body).toBe(expired.body);
});
